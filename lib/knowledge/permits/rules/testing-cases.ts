import type { Facts } from './facts'
import type { WorkType } from './work-types'

/** A question and the rule that must decide it, derived by hand from the source the rule cites. */
export type Case = [place: string | null, work: WorkType, facts: Facts, rule: string]

const SMALL_DECK: Facts = { areaSqFt: 200, heightAboveGradeIn: 30, attached: false, servesExitDoor: false }
const SMALL_SHED: Facts = { attached: false, stories: 1, areaSqFt: 200, stormShelter: false }
const FINISHES: Facts = { structural: false, wallsChanged: false, tradeWork: false }

const NASHVILLE = 'us-tn-nashville'
const SPRINGFIELD = 'us-tn-springfield'
const PORTLAND = 'us-or-portland'

/** IRC 2021 R105.1 and R105.2. Whether 200 ft2, 30 in, 7 ft, 4 ft and 24 in are included follows the section's list. */
const MODEL: Case[] = [
  [null, 'reroof', { structural: true }, 'irc.reroof.structure'],
  [null, 'reroof', { deckingReplaced: true }, 'irc.reroof.structure'],
  [null, 'reroof', { structural: false, deckingReplaced: false, repairOnly: true }, 'irc.reroof.repair'],
  [null, 'reroof', { structural: false, deckingReplaced: false, repairOnly: false }, 'irc.reroof.whole'],
  [null, 'roof_structure', {}, 'irc.roof-structure.any'],
  [null, 'siding', { structural: true }, 'irc.siding.structure'],
  [null, 'siding', { structural: false, repairOnly: true }, 'irc.siding.repair'],
  [null, 'siding', { structural: false, repairOnly: false }, 'irc.siding.whole'],
  [null, 'window_door', { openingChanged: true }, 'irc.window-door.opening'],
  [null, 'window_door', { structural: true }, 'irc.window-door.opening'],
  [null, 'window_door', { openingChanged: false, structural: false }, 'irc.window-door.same'],
  [null, 'deck', SMALL_DECK, 'irc.deck.low'],
  [null, 'deck', { ...SMALL_DECK, areaSqFt: 200.5 }, 'irc.deck.other'],
  [null, 'deck', { ...SMALL_DECK, heightAboveGradeIn: 30.5 }, 'irc.deck.other'],
  [null, 'deck', { ...SMALL_DECK, attached: true }, 'irc.deck.other'],
  [null, 'deck', { ...SMALL_DECK, servesExitDoor: true }, 'irc.deck.other'],
  [null, 'fence', { heightFt: 7 }, 'irc.fence.low'],
  [null, 'fence', { heightFt: 7.1 }, 'irc.fence.high'],
  [null, 'accessory_structure', SMALL_SHED, 'irc.accessory-structure.small'],
  [null, 'accessory_structure', { ...SMALL_SHED, areaSqFt: 201 }, 'irc.accessory-structure.other'],
  [null, 'accessory_structure', { ...SMALL_SHED, stories: 2 }, 'irc.accessory-structure.other'],
  [null, 'accessory_structure', { ...SMALL_SHED, attached: true }, 'irc.accessory-structure.other'],
  [null, 'accessory_structure', { ...SMALL_SHED, stormShelter: true }, 'irc.accessory-structure.other'],
  [null, 'retaining_wall', { heightFt: 4, surcharge: false }, 'irc.retaining-wall.low'],
  [null, 'retaining_wall', { heightFt: 4.1, surcharge: false }, 'irc.retaining-wall.high'],
  [null, 'retaining_wall', { heightFt: 2, surcharge: true }, 'irc.retaining-wall.high'],
  [null, 'pool', { prefabricated: true, depthIn: 23.9 }, 'irc.pool.shallow'],
  [null, 'pool', { prefabricated: true, depthIn: 24 }, 'irc.pool.other'],
  [null, 'pool', { prefabricated: false, depthIn: 10 }, 'irc.pool.other'],
  [null, 'flatwork', { inRightOfWay: true }, 'irc.flatwork.street'],
  [null, 'flatwork', { inRightOfWay: false }, 'irc.flatwork.private'],
  [null, 'new_dwelling', {}, 'irc.new-dwelling.any'],
  [null, 'addition', {}, 'irc.addition.any'],
  [null, 'demolition', {}, 'irc.demolition.any'],
  [null, 'finish_basement', {}, 'irc.finish-basement.any'],
  [null, 'interior_remodel', FINISHES, 'irc.interior-remodel.finishes'],
  [null, 'interior_remodel', { structural: true }, 'irc.interior-remodel.beyond-finishes'],
  [null, 'interior_remodel', { wallsChanged: true }, 'irc.interior-remodel.beyond-finishes'],
  [null, 'interior_remodel', { tradeWork: true }, 'irc.interior-remodel.beyond-finishes'],
  [null, 'finish_work', FINISHES, 'irc.finish-work.finishes'],
  [null, 'finish_work', { ...FINISHES, structural: true }, 'irc.finish-work.beyond-finishes'],
  [null, 'finish_work', { ...FINISHES, wallsChanged: true }, 'irc.finish-work.beyond-finishes'],
  [null, 'finish_work', { ...FINISHES, tradeWork: true }, 'irc.finish-work.beyond-finishes'],
  [null, 'water_heater', { minorPartOnly: true }, 'irc.water-heater.part'],
  [null, 'water_heater', { minorPartOnly: false }, 'irc.water-heater.replace'],
  [null, 'hvac', { minorPartOnly: true }, 'irc.hvac.minor'],
  [null, 'hvac', { portable: true }, 'irc.hvac.minor'],
  [null, 'hvac', { minorPartOnly: false, portable: false }, 'irc.hvac.replace'],
  [null, 'electrical_service', { overcurrentDeviceOnly: true }, 'irc.electrical-service.breaker'],
  [null, 'electrical_service', { overcurrentDeviceOnly: false }, 'irc.electrical-service.other'],
  [null, 'circuits', { volts: 24, watts: 50 }, 'irc.circuits.low-voltage'],
  [null, 'circuits', { volts: 25, watts: 50 }, 'irc.circuits.other'],
  [null, 'circuits', { volts: 24, watts: 51 }, 'irc.circuits.other'],
  [null, 'generator', { portable: true }, 'irc.generator.portable'],
  [null, 'generator', { portable: false }, 'irc.generator.standby'],
  [null, 'ev_charger', { portable: true }, 'irc.ev-charger.portable'],
  [null, 'ev_charger', { portable: false }, 'irc.ev-charger.wired'],
  [null, 'plumbing_fixture', { pipesRearranged: true }, 'irc.plumbing-fixture.moved'],
  [null, 'plumbing_fixture', { pipesRearranged: false, repairOnly: true }, 'irc.plumbing-fixture.repair'],
  [null, 'plumbing_fixture', { pipesRearranged: false, repairOnly: false }, 'irc.plumbing-fixture.replace'],
  [null, 'solar', {}, 'irc.solar.any'],
]

/** From Metro Nashville's pages on fences, accessory structures, additions and pools, which do not cover re-roofing. */
const IN_NASHVILLE: Case[] = [
  [NASHVILLE, 'fence', { historicDistrict: true, heightFt: 6 }, 'nashville.fence.overlay'],
  [NASHVILLE, 'fence', { historicDistrict: false, heightFt: 8 }, 'nashville.fence.any'],
  [NASHVILLE, 'accessory_structure', { ...SMALL_SHED, areaSqFt: 80 }, 'nashville.accessory-structure.detached'],
  [NASHVILLE, 'accessory_structure', { ...SMALL_SHED, attached: true }, 'irc.accessory-structure.other'],
  [NASHVILLE, 'addition', {}, 'nashville.addition.any'],
  [NASHVILLE, 'pool', { likeForLike: true, earlierPermit: true }, 'nashville.pool.replaced'],
  [NASHVILLE, 'pool', { likeForLike: true, earlierPermit: false }, 'nashville.pool.new'],
  [NASHVILLE, 'pool', { likeForLike: false }, 'nashville.pool.new'],
  [NASHVILLE, 'reroof', { structural: false, deckingReplaced: false, repairOnly: false }, 'irc.reroof.whole'],
]

/** From Springfield's list “Do I need a Permit?”. */
const IN_SPRINGFIELD: Case[] = [
  [SPRINGFIELD, 'addition', {}, 'springfield-tn.addition.any'],
  [SPRINGFIELD, 'interior_remodel', { wallsChanged: true }, 'springfield-tn.interior-remodel.walls'],
  [SPRINGFIELD, 'interior_remodel', FINISHES, 'irc.interior-remodel.finishes'],
  [
    SPRINGFIELD,
    'reroof',
    { repairOnly: false, structural: false, deckingReplaced: false },
    'springfield-tn.reroof.covering',
  ],
  [SPRINGFIELD, 'reroof', { repairOnly: true, structural: false, deckingReplaced: false }, 'irc.reroof.repair'],
  [SPRINGFIELD, 'window_door', {}, 'springfield-tn.window-door.windows'],
  [SPRINGFIELD, 'hvac', { minorPartOnly: false, portable: false }, 'springfield-tn.hvac.system'],
  [SPRINGFIELD, 'hvac', { minorPartOnly: true }, 'irc.hvac.minor'],
  [SPRINGFIELD, 'accessory_structure', { areaSqFt: 201 }, 'springfield-tn.accessory-structure.large'],
  [SPRINGFIELD, 'accessory_structure', SMALL_SHED, 'springfield-tn.accessory-structure.small'],
  [SPRINGFIELD, 'accessory_structure', { ...SMALL_SHED, stories: 2 }, 'irc.accessory-structure.other'],
  [SPRINGFIELD, 'deck', { heightAboveGradeIn: 31 }, 'springfield-tn.deck.high'],
  [SPRINGFIELD, 'deck', SMALL_DECK, 'irc.deck.low'],
  [SPRINGFIELD, 'pool', { prefabricated: true, depthIn: 23.9 }, 'springfield-tn.pool.shallow'],
  [SPRINGFIELD, 'pool', { prefabricated: true, depthIn: 24 }, 'springfield-tn.pool.other'],
  [SPRINGFIELD, 'plumbing_fixture', { pipesRearranged: true }, 'springfield-tn.plumbing-fixture.moved'],
  [SPRINGFIELD, 'plumbing_fixture', { pipesRearranged: false, repairOnly: true }, 'irc.plumbing-fixture.repair'],
  [SPRINGFIELD, 'fence', { heightFt: 7 }, 'springfield-tn.fence.low'],
  [SPRINGFIELD, 'fence', { heightFt: 7.1 }, 'irc.fence.high'],
  [SPRINGFIELD, 'retaining_wall', { heightFt: 4, surcharge: false }, 'springfield-tn.retaining-wall.low'],
  [SPRINGFIELD, 'retaining_wall', { heightFt: 4.1, surcharge: false }, 'irc.retaining-wall.high'],
  [SPRINGFIELD, 'flatwork', { heightAboveGradeIn: 30, inRightOfWay: false }, 'springfield-tn.flatwork.low'],
  [SPRINGFIELD, 'flatwork', { heightAboveGradeIn: 31, inRightOfWay: false }, 'springfield-tn.flatwork.high'],
  [SPRINGFIELD, 'finish_work', { structural: true }, 'springfield-tn.finish-work.structure'],
  [SPRINGFIELD, 'finish_work', FINISHES, 'irc.finish-work.finishes'],
]

/** From Portland's pages: 30 in for decks and flatwork, 7 ft for fences, 200 ft2 and 15 ft for sheds, 4 ft for walls. */
const IN_PORTLAND: Case[] = [
  [PORTLAND, 'deck', { heightAboveGradeIn: 30 }, 'portland-or.deck.low'],
  [PORTLAND, 'deck', { heightAboveGradeIn: 30.5 }, 'portland-or.deck.high'],
  [PORTLAND, 'fence', { heightFt: 7, poolBarrier: false }, 'portland-or.fence.low'],
  [PORTLAND, 'fence', { heightFt: 7.1, poolBarrier: false }, 'portland-or.fence.high'],
  [PORTLAND, 'fence', { heightFt: 5, poolBarrier: true }, 'portland-or.fence.pool'],
  [PORTLAND, 'accessory_structure', { ...SMALL_SHED, heightFt: 15 }, 'portland-or.accessory-structure.small'],
  [PORTLAND, 'accessory_structure', { ...SMALL_SHED, heightFt: 15.5 }, 'portland-or.accessory-structure.other'],
  [
    PORTLAND,
    'accessory_structure',
    { ...SMALL_SHED, heightFt: 15, areaSqFt: 201 },
    'portland-or.accessory-structure.other',
  ],
  [
    PORTLAND,
    'accessory_structure',
    { ...SMALL_SHED, heightFt: 15, stories: 2 },
    'portland-or.accessory-structure.other',
  ],
  [PORTLAND, 'retaining_wall', { heightFt: 4.1, surcharge: false }, 'portland-or.retaining-wall.high'],
  [PORTLAND, 'retaining_wall', { heightFt: 4, surcharge: false }, 'irc.retaining-wall.low'],
  [PORTLAND, 'window_door', { openingChanged: true }, 'portland-or.window-door.opening'],
  [PORTLAND, 'window_door', { openingChanged: false, structural: false }, 'irc.window-door.same'],
  [PORTLAND, 'flatwork', { heightAboveGradeIn: 30.5, inRightOfWay: false }, 'portland-or.flatwork.high'],
  [PORTLAND, 'flatwork', { heightAboveGradeIn: 30, inRightOfWay: false }, 'irc.flatwork.private'],
  [PORTLAND, 'finish_basement', {}, 'portland-or.finish-basement.any'],
  [PORTLAND, 'new_dwelling', {}, 'portland-or.new-dwelling.any'],
  [PORTLAND, 'electrical_service', { overcurrentDeviceOnly: false }, 'portland-or.electrical-service.panel'],
  [PORTLAND, 'electrical_service', { overcurrentDeviceOnly: true }, 'irc.electrical-service.breaker'],
  [PORTLAND, 'hvac', { minorPartOnly: false, portable: false }, 'portland-or.hvac.system'],
  [PORTLAND, 'hvac', { portable: true }, 'irc.hvac.minor'],
  [
    PORTLAND,
    'plumbing_fixture',
    { pipesRearranged: false, repairOnly: false },
    'portland-or.plumbing-fixture.same-place',
  ],
  [PORTLAND, 'plumbing_fixture', { pipesRearranged: false, repairOnly: true }, 'irc.plumbing-fixture.repair'],
]

export const CASES: Case[] = [...MODEL, ...IN_NASHVILLE, ...IN_SPRINGFIELD, ...IN_PORTLAND]
