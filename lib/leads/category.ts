/**
 * Keywords in order of priority, each with its category (specification 4.3; the order is ours). The first of them that the text
 * contains decides, wherever it stands: `Telephone`, `Cellphone` and `MyWebsite` count.
 */
const KEYWORDS = [
  ['angi', 'angi'],
  ['homeadvisor', 'homeadvisor'],
  ['thumbtack', 'thumbtack'],
  ['houzz', 'houzz'],
  ['nextdoor', 'nextdoor'],
  ['facebook', 'social_ads'],
  ['fb', 'social_ads'],
  ['instagram', 'social_ads'],
  ['ig', 'social_ads'],
  ['google', 'search_ads'],
  ['adwords', 'search_ads'],
  ['ppc', 'search_ads'],
  ['referral', 'referral'],
  ['phone', 'phone_call'],
  ['call', 'phone_call'],
  ['website', 'website_form'],
  ['web', 'website_form'],
] as const

/**
 * Words that contain a keyword by accident: none of them says anything about where a lead came from. The last stands for all words
 * like `locally` and `automatically`.
 */
const ACCIDENTS =
  /(?<!\p{L})(?:changing|exchanging|hanging|arranging|rearranging|ranging|tangible|angina|surfboards?|halfback|cobwebs?|webinars?|recall(?:s|ed|ing)?|scallops?|callous|symphonies|\p{L}{1,30}cally)(?!\p{L})/giu

export type LeadCategory = (typeof KEYWORDS)[number][1] | 'other'

/** The categories a lead can have. */
export const LEAD_CATEGORIES: LeadCategory[] = [...new Set(KEYWORDS.map(([, category]) => category)), 'other']

/** The reading of a lead's source: the category, and the keyword that decided, absent for `other`. */
export type Categorized = { category: LeadCategory; keyword: string | undefined }

// Meta abbreviates Instagram to `ig`, which is not in the specification and is in too many words: it counts only as a word.
const INSTAGRAM = /(?<![\p{L}\p{N}])ig(?![\p{L}\p{N}])/u

/** The category of a lead's source text (specification 4.3); `other` when it has no keyword. */
export function categorize(leadSource = ''): Categorized {
  const text = leadSource.replace(ACCIDENTS, ' ').toLowerCase()
  const [keyword, category] =
    KEYWORDS.find(([word]) => (word === 'ig' ? INSTAGRAM.test(text) : text.includes(word))) ?? []
  return { category: category ?? 'other', keyword }
}
