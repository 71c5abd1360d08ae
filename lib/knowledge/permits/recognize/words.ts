import type { WorkType } from '../rules/work-types'
import { list } from './list'

/**
 * Words and phrases that name a kind of work: lower case, singular, without hyphens; the longest that matches counts. What is named by
 * an act and a thing together (`finish` and `basement`) is in things.ts.
 */
export const WORK_WORDS: Record<WorkType, string[]> = {
  reroof: list(`
    re roof, reroof, reroofing, re roofing, re shingle, reshingle, re shingling, reshingling, roof, roofing, shingle, standing seam, roof leak, leak in roof,
    roof membrane, tpo, epdm, tile roof, metal roof, slate roof, cedar shake, roof covering, roof tile, concrete tile roof,
    clay tile roof, modified bitumen, roof decking, roof sheathing, hail damage, roof shingle, flat roof
  `),
  roof_structure: list(`
    roof framing, rafter, truss, dormer, shed dormer, skylight, roof truss, roof structure, ridge beam, roof pitch, raise roof,
    roof line, roofline, ceiling joist, solar tube, vault ceiling
  `),
  deck: list(`
    deck, deck board, deck stair, deck railing, roof deck, rooftop deck, composite decking, trex decking, wood decking
  `),
  fence: list(`
    fence, fencing, pool fence, fence panel, fence and gate, privacy fence, driveway gate, fence gate, fence post
  `),
  accessory_structure: list(`
    accessory structure, accessory building, auxiliary structure, detached structure, detached building, storage structure,
    detached garage, detached two car garage, outbuilding, carport, car port, pergola, gazebo, pavilion, barn, pole barn, pole building, shed,
    storage shed, storage building, greenhouse, pool house, cabana, playhouse, play house, tree house, workshop building,
    detached workshop, lean to, boathouse, chicken coop, ramada
  `),
  addition: list(`
    addition, room addition, home addition, house addition, second story, 2nd story, 2nd floor addition, second level addition,
    second floor addition, sunroom, sun room, three season room, 3 season room, 4 season room, four season room, screened porch,
    screen porch, screened in porch, bump out, garage addition, attached garage, master suite addition, mudroom addition,
    florida room, breezeway, pop top
  `),
  interior_remodel: list(`
    load bearing wall, bearing wall, partition wall, interior remodel, interior renovation, interior rehab, interior wall,
    lvl beam, lvl, floor plan, half bath conversion, interior alteration, tenant finish, non bearing wall,
    load bearing partition wall
  `),
  finish_basement: list(`
    basement finish, basement finishing, basement remodel, basement renovation, attic conversion, garage conversion,
    attic build out, bonus room finish, basement build out
  `),
  window_door: list(`
    window, egress window, entry door, exterior door, patio door, sliding door, sliding glass door, sliding patio door,
    front door, back door, french door, garage door, door opening, window opening, storm door, storm window, bay window,
    replacement window, door, overhead door, fenestration, sidelight, roof window replacement
  `),
  siding: list(`
    siding, lap siding, vinyl siding, fiber cement siding, fiber cement, hardie plank, hardieplank, hardie board, james hardie,
    hardie, stucco, stone veneer, brick veneer, re side, reside, clapboard, board and batten, lp smartside, smartside,
    soffit and fascia, eifs, exterior cladding, cladding, t1 11, brick facade
  `),
  patio_cover: list(`
    patio cover, covered patio, porch cover, porch roof, patio roof, roof over patio, roof over existing patio, roof over deck,
    roof over existing deck, roof over the deck, roof over the patio, covered porch, patio awning, alumawood, deck cover,
    awning, covered deck, lattice cover, roof over porch, lattice patio cover
  `),
  adu: list(`
    adu, dadu, accessory dwelling, accessory dwelling unit, detached accessory dwelling unit, in law suite, in law apartment,
    mother in law suite, mother in law apartment, granny flat, granny unit, guest house, guesthouse, backyard cottage,
    carriage house, casita, basement apartment, garage apartment, second unit, jadu, in law unit, laneway house
  `),
  foundation: list(`
    foundation, crack injection, foundation wall, foundation crack, foundation repair, footing, footer, stem wall, underpin, underpinning,
    helical pier, push pier, house leveling, slab jacking, mudjacking, basement wall, crawlspace support, crawl space support,
    seismic retrofit, pier and beam, sill plate, floor leveling, support jack, basement waterproofing, permanent foundation
  `),
  fireplace: list(`
    fireplace, fire place, wood stove, woodstove, wood burning stove, pellet stove, chimney, chimney liner, flue,
    fireplace insert, gas fireplace, gas insert, gas log, pellet insert, wood insert, gas fireplace insert,
    wood burning fireplace, hearth
  `),
  grading: list(`
    grading, regrading, regrade, cut and fill, site prep, site work, earthwork, fill dirt, mass grading,
    lot clearing and grading, land disturbance, yard drainage grading, rough grading, yard of fill, yard of dirt, yard of soil,
    re grade
  `),
  gas_line: list(`
    gas line, gas pipe, gas piping, natural gas line, natural gas piping, propane line, fuel gas, gas leak, gas service, gas stub, csst,
    natural gas, gas meter
  `),
  sewer: list(`
    sewer, sewer line, sewer lateral, side sewer, main drain, drain line, drain pipe, drain stack, cast iron drain,
    building drain, sewer pipe, city sewer, sewer main, waste line, soil stack, sewage ejector, cleanout, cast iron stack,
    sewer connection
  `),
  repipe: list(`
    repipe, repiping, re pipe, re piping, water line, water main, main water line, water service, water service line,
    water pipe, galvanized pipe, galvanized water pipe, polybutylene, polybutylene pipe, copper pipe, water supply line,
    pex pipe, water piping, galvanized piping, copper piping
  `),
  mini_split: list(`
    mini split, minisplit, mini split heat pump, ductless, ductless heat pump, ductless ac, ductless system,
    ductless mini split, ductless unit, ductless air conditioner
  `),
  water_heater: list(`
    water heater, hot water heater, gas water heater, tankless, tankless heater, tankless water heater, hot water tank, heat pump water heater,
    on demand water heater, electric water heater, hot water cylinder, water heater tank
  `),
  hvac: list(`
    hvac, hvac system, hvac unit, furnace, heat pump, air conditioner, air conditioning, air conditioning unit, central air, ac,
    a c, ac unit, a c unit, air handler, condenser, evaporator coil, ductwork, duct work, duct, boiler, rooftop unit, rtu,
    package unit, radiant heat, baseboard heat, heating system, cooling system, heating and cooling, gas furnace, split system,
    central air conditioning, bath fan, range hood
  `),
  electrical_service: list(`
    upgrade service, service upgrade, electrical service, electric service, service change, service panel, electrical panel, electric panel,
    main panel, panel upgrade, breaker panel, main breaker panel, breaker box, fuse box, sub panel, subpanel, meter base,
    meter can, meter socket, electric meter, amp service, amp panel, panel change, panel replacement, panel repair,
    service entrance, load center, service mast, service conversion, underground service, breaker, amp service upgrade,
    main breaker, federal pacific panel, zinsco panel, temporary power pole, temp power, weatherhead, panelboard
  `),
  circuits: list(`
    circuit, outlet, receptacle, gfci, rewire, rewiring, wiring, electrical wiring, recessed light, recessed lighting,
    can light, light fixture, lighting, ceiling fan, light switch, dimmer, smoke detector, smoke alarm, knob and tube,
    dryer outlet, outdoor lighting, landscape lighting, branch circuit, run power, underground power, dedicated circuit,
    electrical outlet, chandelier, pendant light, exterior light, aluminum wiring, afci, electrical circuit
  `),
  generator: list(`
    generator, standby generator, transfer switch, backup generator, generac, generator interlock, interlock kit,
    whole home generator, generator pad
  `),
  ev_charger: list(`
    ev charger, ev charging, ev charging station, car charger, charging station, wall connector, level 2 charger,
    level two charger, vehicle charger, vehicle charging, vehicle charging station, ev outlet, ev circuit, evse, chargepoint, chargepoint charger,
    home charger, tesla charger, ev, electric vehicle, electric car charger, tesla wall connector, wallbox, car charging
  `),
  plumbing_fixture: list(`
    sink, kitchen sink, vanity, shower, walk in shower, toilet, tub, bathtub, bath tub, soaking tub, faucet, shower valve,
    shower pan, dishwasher, garbage disposal, plumbing fixture, urinal, laundry hookup, washing machine hookup, washer hookup,
    hose bib, water softener, washer box, shower stall, bidet, tub shower, plumbing rough in, utility sink, tub surround,
    ice maker line
  `),
  retaining_wall: list(`
    retaining wall, retainer wall, railroad tie wall, block retaining wall, segmental wall, gravity wall, seawall, tie wall,
    boulder wall
  `),
  pool: list(`
    pool, swimming pool, inground pool, in ground pool, in ground swimming pool, inground swimming pool, above ground pool,
    gunite pool, fiberglass pool, lap pool, plunge pool, vinyl liner pool, in ground gunite pool, pool plaster, pool liner,
    concrete pool, pool liner replacement
  `),
  hot_tub: list(`
    hot tub, hottub, spa, jacuzzi, swim spa, outdoor spa, spa tub
  `),
  solar: list(`
    solar, solar panel, solar array, solar system, solar pv, photovoltaic, pv system, pv, pv array, pv panel, solar roof,
    solar roof panel, solar module, powerwall, photovoltaic system, photovoltaic array, pv module, solar shingle,
    solar electric, battery storage, solar installation
  `),
  flatwork: list(`
    driveway, sidewalk, walkway, flatwork, concrete patio, paver patio, paver, pool deck, concrete slab, driveway apron,
    parking pad, concrete walk, stamped concrete, concrete slab patio, stamped concrete patio, driveway approach, curb cut,
    brick patio, sidewalk panel, driveway panel, flagstone patio, concrete pad, concrete driveway, asphalt driveway
  `),
  demolition: list(`
    fill in pool, fill in swimming pool, pool fill in, pool removal, pool demolition, interior demo, interior demolition, house demo,
    selective demolition
  `),
  finish_work: list(`
    flooring, hardwood, hardwood floor, wood floor, laminate floor, vinyl plank, lvp, lvp flooring, tile floor, ceramic tile,
    carpet, carpeting, cabinet, kitchen cabinet, countertop, counter top, kitchen counter, counter, tile, backsplash,
    tile backsplash, drywall, drywall patch, sheetrock, plaster, crown molding, baseboard, trim work, trim, texture, millwork,
    wainscoting, finish carpentry, finish work, popcorn ceiling, floor tile, vinyl floor, granite, quartz, interior paint,
    exterior paint, wallpaper removal, tile work
  `),
  new_dwelling: list(`
    new dwelling, new construction, new home, new house, new residence, single family dwelling, new single family, modular home,
    manufactured home, mobile home, custom home, spec home, duplex, tiny home, new townhome, new build, new townhouse, triplex,
    new construction home, new single family residence, new single family home, new single family dwelling
  `),
}
