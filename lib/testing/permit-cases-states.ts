import type { Facts } from '@/lib/knowledge/permits/rules/facts'
import type { Case } from './permit-cases'

const SHED: Facts = { attached: false, stories: 1, areaSqFt: 120, stormShelter: false }
const FINISHES: Facts = { structural: false, wallsChanged: false, tradeWork: false }
const SAME: Facts = { structural: false, openingChanged: false }

/** Cases from ORS 455.310(2), ORSC R105.2 as Lane County and Lake Oswego republish it, and the lists of Woodburn and Silverton. */
const IN_OREGON: Case[] = [
  ['us-or', 'reroof', { deckingReplaced: true }, 'or.reroof.sheathing'],
  ['us-or', 'reroof', { structural: true }, 'or.reroof.sheathing'],
  ['us-or', 'reroof', { deckingReplaced: false, structural: false }, 'or.reroof.covering'],
  ['us-or', 'siding', { structural: false }, 'or.siding.any'],
  ['us-or', 'siding', { structural: true }, 'irc.siding.structure'],
  ['us-or', 'window_door', SAME, 'or.window-door.same'],
  ['us-or', 'window_door', { ...SAME, openingChanged: true }, 'irc.window-door.opening'],
  ['us-or', 'patio_cover', { areaSqFt: 200, attached: true }, 'or.patio-cover.small'],
  ['us-or', 'patio_cover', { areaSqFt: 201, attached: true }, 'irc.patio-cover.large'],
  ['us-or', 'patio_cover', { areaSqFt: 150, attached: false }, 'irc.patio-cover.differs'],
  ['us-or', 'deck', { heightAboveGradeIn: 30 }, 'or.deck.low'],
  ['us-or', 'deck', { heightAboveGradeIn: 31 }, 'or.deck.high'],
  ['us-or', 'fence', { heightFt: 5, poolBarrier: true }, 'or.fence.pool'],
  ['us-or', 'fence', { heightFt: 7, poolBarrier: false }, 'or.fence.low'],
  ['us-or', 'fence', { heightFt: 7.5, poolBarrier: false }, 'irc.fence.high'],
  ['us-or', 'accessory_structure', { ...SHED, areaSqFt: 200, heightFt: 15 }, 'or.accessory-structure.small'],
  ['us-or', 'accessory_structure', { ...SHED, areaSqFt: 201, heightFt: 15 }, 'or.accessory-structure.other'],
  ['us-or', 'accessory_structure', { ...SHED, stories: 2, heightFt: 15 }, 'or.accessory-structure.other'],
  ['us-or', 'accessory_structure', { ...SHED, heightFt: 16 }, 'or.accessory-structure.other'],
  ['us-or', 'pool', { prefabricated: true }, 'or.pool.above-ground'],
  ['us-or', 'pool', { prefabricated: false }, 'irc.pool.other'],
  ['us-or', 'interior_remodel', { ...FINISHES, wallsChanged: true }, 'or.interior-remodel.partitions'],
  ['us-or', 'interior_remodel', FINISHES, 'irc.interior-remodel.finishes'],
  ['us-or', 'gas_line', { minorPartOnly: false }, 'or.gas-line.mechanical'],
  ['us-or', 'gas_line', { minorPartOnly: true }, 'irc.gas-line.part'],
  ['us-or', 'fireplace', { minorPartOnly: false }, 'or.fireplace.stove'],
  ['us-or', 'fireplace', { minorPartOnly: true }, 'irc.fireplace.part'],
]

/** Cases from CRC R105.2 as Rocklin lists it; San Mateo and Chino Hills where cities differ. */
const IN_CALIFORNIA: Case[] = [
  ['us-ca', 'accessory_structure', SHED, 'ca.accessory-structure.small'],
  ['us-ca', 'accessory_structure', { ...SHED, areaSqFt: 121 }, 'ca.accessory-structure.other'],
  ['us-ca', 'accessory_structure', { ...SHED, stories: 2 }, 'ca.accessory-structure.other'],
  ['us-ca', 'fence', { heightFt: 6 }, 'ca.fence.low'],
  ['us-ca', 'fence', { heightFt: 7 }, 'ca.fence.differs'],
  ['us-ca', 'fence', { heightFt: 7.5 }, 'ca.fence.high'],
  ['us-ca', 'retaining_wall', { heightFt: 4, surcharge: false }, 'ca.retaining-wall.low'],
  ['us-ca', 'retaining_wall', { heightFt: 4.1, surcharge: false }, 'ca.retaining-wall.high'],
  ['us-ca', 'deck', { heightAboveGradeIn: 30 }, 'ca.deck.low'],
  ['us-ca', 'deck', { heightAboveGradeIn: 31 }, 'irc.deck.other'],
  ['us-ca', 'pool', { prefabricated: true, depthIn: 23 }, 'ca.pool.shallow'],
  ['us-ca', 'pool', { prefabricated: true, depthIn: 24 }, 'ca.pool.prefabricated'],
  ['us-ca', 'pool', { prefabricated: false, depthIn: 60 }, 'irc.pool.other'],
  ['us-ca', 'flatwork', { heightAboveGradeIn: 30, inRightOfWay: false }, 'ca.flatwork.low'],
  ['us-ca', 'flatwork', { heightAboveGradeIn: 31, inRightOfWay: false }, 'ca.flatwork.high'],
  ['us-ca', 'flatwork', { heightAboveGradeIn: 0, inRightOfWay: true }, 'irc.flatwork.street'],
]

/** Cases from 19 NYCRR 1203.3(a)(1) and 1202.3(b): 144 ft2, 24 in, fences and walls by what they hold, repairs. */
const IN_NEW_YORK: Case[] = [
  ['us-ny', 'accessory_structure', { ...SHED, areaSqFt: 144 }, 'ny.accessory-structure.small'],
  ['us-ny', 'accessory_structure', { ...SHED, areaSqFt: 145 }, 'ny.accessory-structure.other'],
  ['us-ny', 'accessory_structure', { ...SHED, stories: 2 }, 'ny.accessory-structure.other'],
  ['us-ny', 'fence', { poolBarrier: true }, 'ny.fence.pool'],
  ['us-ny', 'fence', { poolBarrier: false, heightFt: 6 }, 'ny.fence.other'],
  ['us-ny', 'fence', { poolBarrier: false, heightFt: 6.5 }, 'ny.fence.high'],
  ['us-ny', 'pool', { prefabricated: true, depthIn: 23 }, 'ny.pool.shallow'],
  ['us-ny', 'pool', { prefabricated: true, depthIn: 24 }, 'ny.pool.other'],
  ['us-ny', 'retaining_wall', { surcharge: true }, 'ny.retaining-wall.surcharge'],
  ['us-ny', 'retaining_wall', { surcharge: false, heightFt: 4 }, 'ny.retaining-wall.other'],
  ['us-ny', 'retaining_wall', { surcharge: false, heightFt: 12 }, 'ny.retaining-wall.high'],
  ['us-ny', 'reroof', { repairOnly: false, structural: false }, 'ny.reroof.whole'],
  ['us-ny', 'reroof', { repairOnly: true, structural: false, deckingReplaced: false }, 'irc.reroof.repair'],
  ['us-ny', 'hvac', { likeForLike: true, minorPartOnly: false, portable: false }, 'ny.hvac.same'],
  ['us-ny', 'hvac', { likeForLike: false, minorPartOnly: false, portable: false }, 'irc.hvac.replace'],
  ['us-ny', 'water_heater', { likeForLike: true, minorPartOnly: false }, 'ny.water-heater.same'],
  ['us-ny', 'water_heater', { likeForLike: false, minorPartOnly: false }, 'irc.water-heater.replace'],
]

/** Cases from FBC 105.1 as Orange County reads it: the exceptions of the model code for small structures are not in the state's list. */
const IN_FLORIDA: Case[] = [
  ['us-fl', 'accessory_structure', { ...SHED, areaSqFt: 200 }, 'fl.accessory-structure.small'],
  ['us-fl', 'accessory_structure', { ...SHED, areaSqFt: 201 }, 'irc.accessory-structure.other'],
  ['us-fl', 'fence', { heightFt: 7 }, 'fl.fence.low'],
  ['us-fl', 'fence', { heightFt: 8 }, 'irc.fence.high'],
  ['us-fl', 'deck', { heightAboveGradeIn: 30 }, 'fl.deck.low'],
  ['us-fl', 'deck', { heightAboveGradeIn: 31 }, 'irc.deck.other'],
  ['us-fl', 'retaining_wall', { heightFt: 4, surcharge: false }, 'fl.retaining-wall.low'],
  ['us-fl', 'retaining_wall', { heightFt: 5, surcharge: false }, 'irc.retaining-wall.high'],
  ['us-fl', 'pool', { prefabricated: true, depthIn: 23 }, 'fl.pool.shallow'],
  ['us-fl', 'pool', { prefabricated: false, depthIn: 60 }, 'irc.pool.other'],
  ['us-fl', 'pool', { prefabricated: true, depthIn: 48 }, 'irc.pool.prefabricated'],
  ['us-fl', 'flatwork', {}, 'fl.flatwork.any'],
  ['us-fl', 'finish_work', FINISHES, 'fl.finish-work.finishes'],
  ['us-fl', 'finish_work', { ...FINISHES, tradeWork: true }, 'irc.finish-work.beyond-finishes'],
]

/** Cities and counties of Washington, and WAC 296-46B for wiring. */
const IN_WASHINGTON: Case[] = [
  ['us-wa', 'fence', { heightFt: 7 }, 'wa.fence.differs'],
  ['us-wa', 'fence', { heightFt: 8 }, 'irc.fence.high'],
  ['us-wa', 'reroof', { repairOnly: false }, 'wa.reroof.whole'],
  ['us-wa', 'reroof', { repairOnly: true, structural: false, deckingReplaced: false }, 'irc.reroof.repair'],
  ['us-wa', 'pool', { prefabricated: true, depthIn: 23 }, 'wa.pool.shallow'],
  ['us-wa', 'pool', { prefabricated: true, depthIn: 30 }, 'irc.pool.prefabricated'],
  ['us-wa', 'circuits', { likeForLike: true, minorPartOnly: true }, 'wa.circuits.like-in-kind'],
  ['us-wa', 'circuits', { likeForLike: true, minorPartOnly: false, volts: 120, watts: 1800 }, 'irc.circuits.other'],
  ['us-wa', 'circuits', { likeForLike: false, volts: 120, watts: 1800 }, 'irc.circuits.other'],
  ['us-wa', 'accessory_structure', { ...SHED, areaSqFt: 150 }, 'irc.accessory-structure.differs'],
]

/** Texas Local Government Code 214.212 and Borger; the Tennessee state program; C.R.S. 12-115-120 and 12-155-120. */
const LOCAL_OPTION: Case[] = [
  ['us-tx', 'accessory_structure', { ...SHED, areaSqFt: 200 }, 'tx.accessory-structure.small'],
  ['us-tx', 'accessory_structure', { ...SHED, areaSqFt: 201 }, 'irc.accessory-structure.other'],
  ['us-tx', 'fence', { heightFt: 7 }, 'tx.fence.low'],
  ['us-tx', 'fence', { heightFt: 8 }, 'irc.fence.high'],
  ['us-tx', 'flatwork', {}, 'tx.flatwork.any'],
  ['us-tx', 'reroof', { repairOnly: false }, 'tx.reroof.whole'],
  ['us-tx', 'reroof', { repairOnly: true, structural: false, deckingReplaced: false }, 'irc.reroof.repair'],
  ['us-tn', 'new_dwelling', {}, 'tn.new-dwelling.any'],
  ['us-tn', 'addition', { areaSqFt: 31 }, 'tn.addition.large'],
  ['us-tn', 'addition', { areaSqFt: 30 }, 'tn.addition.small'],
  ['us-tn', 'accessory_structure', { ...SHED, areaSqFt: 150 }, 'tn.accessory-structure.detached'],
  ['us-tn', 'accessory_structure', { ...SHED, attached: true }, 'irc.accessory-structure.other'],
  ['us-tn', 'interior_remodel', {}, 'tn.interior-remodel.any'],
  ['us-co', 'accessory_structure', { ...SHED, areaSqFt: 150 }, 'co.accessory-structure.differs'],
  ['us-co', 'accessory_structure', { ...SHED, areaSqFt: 120 }, 'irc.accessory-structure.small'],
  ['us-co', 'accessory_structure', { ...SHED, areaSqFt: 201 }, 'irc.accessory-structure.other'],
  ['us-co', 'fence', { heightFt: 7 }, 'co.fence.low'],
  ['us-co', 'fence', { heightFt: 7.5 }, 'irc.fence.high'],
  ['us-co', 'gas_line', { minorPartOnly: false }, 'co.gas-line.piping'],
  ['us-co', 'gas_line', { minorPartOnly: true }, 'irc.gas-line.part'],
  ['us-co', 'repipe', {}, 'co.repipe.any'],
  ['us-co', 'electrical_service', { overcurrentDeviceOnly: false }, 'co.electrical-service.panel'],
  ['us-co', 'electrical_service', { overcurrentDeviceOnly: true }, 'irc.electrical-service.breaker'],
]

export const STATE_CASES: Case[] = [
  ...IN_OREGON,
  ...IN_CALIFORNIA,
  ...IN_NEW_YORK,
  ...IN_FLORIDA,
  ...IN_WASHINGTON,
  ...LOCAL_OPTION,
]
