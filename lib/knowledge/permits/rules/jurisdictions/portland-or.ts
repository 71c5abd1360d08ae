import { all, any, atMost, is, isNot, moreThan } from '../conditions'
import { type Jurisdiction, rulesFor } from '../define'

const city = rulesFor('portland-or', 'confirmed_in_source')

const HOME = { source: 'portlandHome', section: 'Work that requires a residential building permit' } as const
const OUTDOOR = { source: 'portlandOutdoor', section: 'When you need permits, table' } as const
const SEWAGE = { source: 'portlandPlumbingCode', section: 'PCC 25.05.010' } as const
const TRADES = { source: 'portlandTrades', section: 'Trade permits, list' } as const

/** The rules of Portland, Oregon, for one- and two-family homes. Oregon has its own residential code, so the IRC is only the fallback. */
export const PORTLAND_OR: Jurisdiction = {
  id: 'us-or-portland',
  name: 'Portland, Oregon',
  state: 'OR',
  places: ['portland'],
  isMeantAlone: false,
  edition: '2021 IRC (Oregon has a residential specialty code of its own; its edition was not confirmed)',
  editionSource: 'ircExempt',
  office: 'Portland Permitting & Development, 503-823-7300',
  notes: [
    'All work must meet zoning, permit or not; overlay zones and plan districts may ask a zoning permit.',
    'The list of trade permits is on an older page of the city.',
  ],
  rules: [
    ...city('deck', [
      {
        ...OUTDOOR,
        id: 'high',
        when: moreThan('heightAboveGradeIn', 30),
        determination: 'likely_required',
        because:
          'The city asks a permit for decks and porches whose floor is more than 30 in above the ground beside it.',
      },
      {
        ...OUTDOOR,
        id: 'low',
        determination: 'likely_not_required',
        because:
          'The city asks none for decks and patios of up to 30 in above the ground; a roof over one is another matter.',
      },
    ]),
    ...city('fence', [
      {
        ...HOME,
        id: 'high',
        when: moreThan('heightFt', 7),
        determination: 'likely_required',
        because: 'The city asks a permit for fences of more than 7 ft.',
      },
      {
        ...HOME,
        id: 'pool',
        when: is('poolBarrier'),
        determination: 'likely_required',
        because: 'The city asks a permit for a barrier around a swimming pool.',
      },
      {
        ...OUTDOOR,
        id: 'low',
        determination: 'likely_not_required',
        because: 'The city asks none for other fences; setbacks of the zoning apply.',
      },
    ]),
    ...city('accessory_structure', [
      {
        ...OUTDOOR,
        id: 'small',
        when: all(isNot('attached'), atMost('stories', 1), atMost('areaSqFt', 200), atMost('heightFt', 15)),
        determination: 'likely_not_required',
        because:
          'The city asks no building permit for sheds nobody lives in, of one story, up to 200 ft2 and 15 ft; a garage of that size takes a zoning permit.',
      },
      {
        ...OUTDOOR,
        id: 'other',
        determination: 'likely_required',
        because: 'What is larger, higher, attached or of more stories is outside of what the city exempts.',
      },
    ]),
    ...city('retaining_wall', [
      {
        ...HOME,
        id: 'high',
        when: any(moreThan('heightFt', 4), is('surcharge')),
        determination: 'likely_required',
        because:
          'The city asks a permit for walls of more than 4 ft from the bottom of the footing, or under the weight of a slope, driveway or building.',
      },
    ]),
    ...city('window_door', [
      {
        ...HOME,
        id: 'opening',
        when: is('openingChanged'),
        determination: 'likely_required',
        because: 'The city asks a permit to cut, widen or reduce an opening.',
      },
    ]),
    ...city('flatwork', [
      {
        ...HOME,
        id: 'high',
        when: moreThan('heightAboveGradeIn', 30),
        determination: 'likely_required',
        because: 'The city asks a permit for slabs, walks and driveways of more than 30 in above the ground.',
      },
    ]),
    ...city('patio_cover', [
      {
        ...OUTDOOR,
        id: 'small',
        when: all(atMost('areaSqFt', 200), is('attached')),
        determination: 'likely_not_required',
        because:
          'The city asks none for a cover of up to 200 ft2 that an outside wall carries and that is 3 ft or more from the lot line; zoning setbacks apply.',
      },
      {
        ...OUTDOOR,
        id: 'large',
        when: moreThan('areaSqFt', 200),
        determination: 'likely_required',
        because: 'The city asks a permit for patio and porch covers of more than 200 ft2, attached or not.',
      },
    ]),
    ...city('sewer', [
      {
        ...SEWAGE,
        id: 'stoppage',
        when: is('stoppageOnly'),
        determination: 'likely_not_required',
        because:
          'Clearing an obstruction is no repair in the sense of the city code while no sewer pipe is opened or cut.',
      },
      {
        ...SEWAGE,
        id: 'repair',
        determination: 'likely_required',
        because: 'The city asks a permit to install, alter or repair a sewage system.',
      },
    ]),
    ...city('repipe', [
      {
        ...SEWAGE,
        id: 'any',
        determination: 'likely_required',
        because: 'The city asks a permit to install, alter or repair a plumbing or water supply system.',
      },
    ]),
    ...city('finish_basement', [
      {
        source: 'portlandBrochure',
        section: 'Work that requires a residential building permit',
        id: 'any',
        determination: 'likely_required',
        because: 'The city asks a permit to make living space of an attic, garage or basement.',
      },
    ]),
    ...city('new_dwelling', [
      {
        source: 'portlandBrochure',
        section: 'Work that requires a residential building permit',
        id: 'any',
        determination: 'likely_required',
        because: 'The city asks a permit to build a one- or two-family dwelling.',
      },
    ]),
    ...city('electrical_service', [
      {
        ...TRADES,
        id: 'panel',
        when: isNot('overcurrentDeviceOnly'),
        determination: 'likely_required',
        because: 'The city asks an electrical permit to replace a service panel.',
      },
    ]),
    ...city('hvac', [
      {
        ...TRADES,
        id: 'system',
        when: all(isNot('minorPartOnly'), isNot('portable')),
        determination: 'likely_required',
        because:
          'The city asks a mechanical permit for a furnace or an air conditioner, and for the latter an electrical one too.',
      },
    ]),
    ...city('plumbing_fixture', [
      {
        ...TRADES,
        id: 'same-place',
        when: isNot('repairOnly'),
        determination: 'likely_required',
        because: 'The city asks a plumbing permit to replace fixtures, in the same place too.',
      },
    ]),
  ],
}
