import { list } from './list'

/** The acts that are done to a thing. Each name stands for many verbs and nouns of the same sense. */
export const ACTS = {
  new: ['new', 'brand new', 'proposed'],
  install: list(`
    install, cut in, installed, installing, installation, put in, hook up, set, connect, run, extend, extending
  `),
  build: list(`
    build, built, building a, construct, constructing, construction of, erect, put up, frame,
    ground up construction of, new construction of
  `),
  add: ['add', 'added', 'adding', 'addition of'],
  replace: list(`
    replace, change, changing, overlay, replaced, replacing, replacement, swap, swap out, change out, changeout, changing out, upgrade, upgrading, rebuild, rebuilding,
    remove and replace, removal and replacement, tear out and replace, replacement of, r and r
  `),
  repair: list(`
    repair, repairing, repaired, fix, fixing, restore, restoration, patch, reinforce
  `),
  remove: list(`
    remove, removed, removing, removal, take out, take down, haul away, haul off, rip out, tear out, tearing out, removal of,
    tear off, tearing off, strip, stripping, strip off, strip out, dispose of, get rid of, pull out, scrap, bring down, come down
  `),
  demolish: list(`
    demolish, demolished, demolishing, demo, raze, tear down, tearing down, teardown, knock down, demolition, demolition of,
    knock out, dismantle, dismantling, wreck, wrecking
  `),
  convert: list(`
    convert, converting, conversion, conversion of, turn, change of use
  `),
  finish: list(`
    finish, finished, finishing, finish out, build out, buildout, finish off
  `),
  remodel: list(`
    remodel, redone, remodeling, renovate, renovation, renovating, gut, gut and redo, redo, rehab, rehabilitation, update,
    updating, makeover, remodel of, renovation of, reconfigure
  `),
  move: list(`
    move, moving, relocate, relocating, relocation of, shift
  `),
  open: ['open up', 'opening up', 'open'],
  expand: list(`
    expand, expanding, expansion of, enlarge, enlarging, extension of
  `),
  enclose: ['enclose', 'enclosing', 'screen in', 'close in', 'glass in'],
  pour: list(`
    pour, poured, pave, paving, widen, lay, resurface, resurfacing
  `),
  level: list(`
    level, bring in, leveling, lift, jack, jack up, excavate, excavation, import, haul in, regrade
  `),
  surface: list(`
    paint, painting, repaint, repainting, stain, staining, refinish, refinishing, wallpaper, touch up, skim coat, epoxy
  `),
  service: list(`
    service, servicing, clean, cleaning, inspect, inspection, maintain, maintenance, wash, washing, power wash, pressure wash, sweep, sweeping,
    pump out, pumping, tune up, estimate, quote, consultation, warranty, delivery, checkup, service call, winterize, appraisal,
    rental, moving service, cleaning service, repair service, removal service, deliver, delivering, pick up, drain and refill, refill, shovel, shoveling,
    plow, plowing, measure, measuring, order, ordering, review, discuss, schedule, reschedule, photograph, buy, purchase, test, testing
  `),
} satisfies Record<string, readonly string[]>

export type Act = keyof typeof ACTS

/** Words that say where the work is. What follows them is a place and not the work. */
export const PLACES = list(`
  in, on, onto, at, under, underneath, over, above, below, behind, beside, near, next to, adjacent to, adjoining, by, off,
  off of, around, along, inside, outside, within, through, throughout, against, between, beneath, across from, attached to,
  to the rear of, to the side of, to the front of, to the back of, to rear of, to back of, at the rear of, rear of, back of,
  front of, side of, from, after, where
`)

/** Names of kinds of work that are verbs: what stands after them is their object, not the head of a phrase. */
export const VERBS = list(`
  re roof, reroof, reroofing, re roofing, rewire, rewiring, repipe, repiping, re pipe, re piping, re side, reside, underpin,
  regrade, re grade, bump out, re shingle, reshingle, re shingling, reshingling
`)

/** Words that lead to what the work is for, or of. What follows counts only where nothing stands before them. */
export const LINKS = list(`
  to, for, of, into, serving, feeding, about, regarding
`)

/** Words after which a thing is not part of the work, up to the end of the clause. */
export const DENIALS = list(`
  no, not, without, w o, excluding, exclude, excludes, except, except for, never, other than, separate permit required for,
  separate permit for, will apply for separate, instead of, rather than
`)

/** Words that take a clause back from its end. */
export const DENIALS_AFTER = list(`
  not included, excluded, by others, by other, by owner, is existing, are existing, to remain, remains, will remain,
  already in place, already installed, already there, separate permit, under separate permit, not part of
`)

export const EXISTING = ['existing', 'exist', 'exstg', 'old']

/** Words that end a clause and carry its verb on. */
export const JOINS = list(`
  and, with, plus, including, incl, include, includes, also, or, w, but, then, in addition, in addition to
`)

/** Words that may follow a noun and leave it what it is: they tell its size, state, place or that there is a job, and name nothing. */
export const NEUTRAL = list(`
  feet, foot, inch, square, linear, yard, ton, amp, volt, watt, btu, zone, layer, story, stories, level, high, tall, wide, deep, long, thick,
  approx, approximately, only, project, job, work, permit, system, unit, kit, assembly, material, part, component, section,
  area, side, rear, front, back, left, right, north, south, east, west, upper, lower, main, per, due, because, since, which, that, is, are,
  was, were, be, being, will, would, has, have, need, needed, needs, require, required, damage, damaged, leaking, leak, rotten, rotted,
  cracked, broken, failing, failed, attached, detached, freestanding, located, location, measuring, sized, size, same, similar, like,
  as, up, down, via, using, made, each, total, both, approved, permitted, residential, commercial, interior, exterior, complete,
  failure, leaned, leaning, wood, wooden, steel, aluminum, vinyl, metal, cedar, composite, concrete, masonry, treated, pvc, copper, pex,
  style, type, color, option, beam, joist, frame, framing, door, vent, flashing, underlayment, pad, lining,
  construction, layover, living, storage, space, membrane, stack, piping, matching, upstairs, downstairs, asap, today, tomorrow, soon, monday, tuesday,
  wednesday, thursday, friday, saturday, sunday, january, february, march, april, june, july, august, september, october, november, december,
  before, during, using, per plan, downhill, uphill, lakeside, streetside
`)

/** Words between a modifier and its noun that mean nothing here. */
export const FILLERS = list(`
  a, an, the, this, his, her, our, my, your, their, some, all, one, two, three, in ground, inground, above ground, semi
`)
