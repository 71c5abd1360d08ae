import { list } from './list'

/**
 * Nouns that are never the work: people, visits and goods. What stands before one says of which kind it is (`deck furniture`, `fence
 * company`), and what it is for or about is no work either (`blinds for six windows`).
 */
export const HEADS = list(`
  crew, company, contractor, customer, client, salesperson, salesman, guy, inspector, adjuster, neighbor, agent, supplier, dealer, team,
  staff, visit, appointment, meeting, callback, call back, subscription, gift card, brochure, hinge, knob, latch, remote, battery, bulb,
  flyer, photo, picture, drawing, sample, catalog, magazine, worksheet, homework, ad, party, tour, museum, show, shopping, sale,
  furniture, chair, table, lamp, toy, game, tool, tent, box, chemical, cartridge, filter, cleaner, salt, snow, ice, leaf, debris,
  odor, smell, noise, bill, receipt, question, complaint, letter, mounted, seat, strainer, mirror, rug, curtain, blind, noodle, towel, swing set, play set, playset, supply, music, movie, song, book
`)

/** Papers about a job: no heads either, but what they are for may be the work. */
export const PAPERS = list(`
  invoice, payment, deposit, contract, change order
`)

/** Phrases that hold a word above and mean something else. They count as nothing, and as no head of a phrase. */
export const NOT_MEANT = list(`
  outdoor kitchen, porch light, building permit, house permit, driveway drain, door camera,
  front door camera, doorbell camera, garage door spring, house wrap, house fan, new house wrap, new house number, roof top,
  green roof, wall paper, lead paint, wall mount, wall mounted, permit application, permit type, from ground up,
  from the ground up, ground up, shed roof, shed light, roof mounted, roof mount, pool table, pool table room, car pool,
  carpool, door to door, garden wall, stain removal, stain treatment, pool heater, pool pump, pool filter, pool cover, pool cleaning, pool equipment, pool chemical, day spa, window ac,
  window ac unit, window air conditioner, window unit, window cleaning, window treatment, window blind, window shade,
  window film, window box, window screen, window washing, window well, roof rack, roof inspection, roof drain, deck of card,
  deck light, shower curtain, shower curtain rod, shower rod, shower head, shower door, fence off, fenced off, fenced,
  fence line, garage door opener, interior door, closet door, cabinet door, cabinet hardware, doorbell, door lock,
  door hardware, door knob, door handle, door mat, dog door, pet door, whole house, open house, house number, house sitting,
  house plant, house cleaning, holiday light, christmas light, string light, light duty, furnace filter, air filter, ac filter,
  filter change, chimney sweep, chimney cap, septic pumping, deck party, driveway post, driveway sealing, to carport,
  construction and demolition, demolition waste, demolition and construction, construction demolition, landscape, landscaping,
  floor plan review, customer service, service area, service call, sink hole, sinkhole, paint can, tile saw, carpet cleaning,
  water feature, finish date, finish floor, finished floor, first floor, floor area, ground floor, pool hall, pool supply,
  solar eclipse, solar screen, solar light, generator rental, tree removal, snow removal, junk removal, debris removal,
  mold remediation, trash removal, stump removal, gutter, gutter guard, downspout, gas station, gas range, gas stove, gas dryer,
  outlet mall, circuit training, circuit court, deck screw, fence stain, window sill repair, window seat, toilet paper,
  play ground, playground, basketball hoop, bearing in mind, tile guy, porta potty, portable toilet, roof over your head,
  sprinkler, irrigation, security camera, attic insulation, attic fan, permit fee, roofing company, roofing material delivery,
  plan set, set back, setback, set of plan, side setback, rear setback, front setback, street setback, building footprint,
  shed some light, baby shower, bridal shower, wedding shower, sink or swim, tub of, window update, window 10, window 11, spa like, circuit board,
  hot tub cover, spa cover, hot tub step, spa step, patio set, open sign, on the fence about,
  flag pole, flagpole, satellite dish, closet organizer, breaker bar, dirt road, shade tree
`)
