import { all, is, isNot, moreThan } from '../conditions'
import { type Jurisdiction, rulesFor } from '../define'

const metro = rulesFor('nashville', 'confirmed_in_source')

const REQUIRED = { determination: 'likely_required' } as const

/**
 * The rules of Nashville–Davidson County. Where Metro's pages are silent (re-roofing, decks, trades), the model code decides and the answer
 * says so.
 */
export const NASHVILLE: Jurisdiction = {
  id: 'us-tn-nashville',
  name: 'Nashville–Davidson County, Tennessee',
  state: 'TN',
  places: ['nashville', 'nashville davidson', 'nashville davidson county', 'davidson county'],
  isMeantAlone: true,
  edition: '2018 IRC',
  editionSource: 'nashvilleEdition',
  office: 'Metro Nashville Department of Codes and Building Safety, 615-862-6500',
  notes: [
    'The edition is that of ordinance BL2020-458 of 2020; whether a newer one was adopted since was not confirmed.',
    'Metro writes its own administrative chapters (Metro Code Title 16), so exceptions of the model code may be narrower there.',
    'Metro’s open permit data has a type for residential roofing and siding: such permits are taken out there.',
  ],
  rules: [
    ...metro('fence', [
      {
        id: 'overlay',
        when: is('historicDistrict'),
        determination: 'ask_jurisdiction',
        because:
          'Metro asks no permit for fences, but zoning overlays may restrict them further; the historic commission can say.',
        section: 'Fence page, additional information',
        source: 'nashvilleFence',
      },
      {
        id: 'high',
        when: moreThan('heightFt', 8),
        determination: 'ask_jurisdiction',
        because:
          'Metro asks no permit for fences within its limits; 8 ft beside and behind the house is the most zoning allows, and a higher one takes an approval first.',
        section: 'Fence page, setback rules',
        source: 'nashvilleFence',
      },
      {
        id: 'any',
        determination: 'likely_not_required',
        because:
          'Metro asks no permit for a residential fence at this time; zoning limits height, from 30 in for a solid fence at the street to 8 ft beside and behind the house.',
        section: 'Fence page',
        source: 'nashvilleFence',
      },
    ]),
    ...metro('accessory_structure', [
      {
        ...REQUIRED,
        id: 'detached',
        when: isNot('attached'),
        because:
          'Metro has detached accessory structures go through its permitting, and its page names no size below which they need not.',
        section: 'Accessory structure page',
        source: 'nashvilleAccessory',
      },
    ]),
    ...metro('addition', [
      {
        ...REQUIRED,
        id: 'any',
        because:
          'Metro has additions to a house go through its permitting, with a zoning review of setbacks, coverage and height.',
        section: 'Addition page',
        source: 'nashvilleAddition',
      },
    ]),
    ...metro('pool', [
      {
        id: 'replaced',
        when: all(is('likeForLike'), is('earlierPermit')),
        determination: 'likely_not_required',
        because: 'Metro asks no permit to replace a pool of exactly the same size and place that was built with one.',
        section: 'Pool page, location restrictions',
        source: 'nashvillePool',
      },
      {
        ...REQUIRED,
        id: 'new',
        because: 'Metro has new pools go through its permitting; its page names no depth below which they need not.',
        section: 'Pool page',
        source: 'nashvillePool',
      },
    ]),
  ],
}
