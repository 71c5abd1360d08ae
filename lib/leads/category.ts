/**
 * Keywords in order of priority, each with its category (specification 4.3; the order is ours). The first of them that begins a
 * word of the text decides.
 */
const KEYWORDS = [
  ['angi', 'angi'],
  ['homeadvisor', 'homeadvisor'],
  ['thumbtack', 'thumbtack'],
  ['houzz', 'houzz'],
  ['nextdoor', 'nextdoor'],
  ['facebook', 'social_ads'],
  ['fb', 'social_ads'],
  ['google', 'search_ads'],
  ['adwords', 'search_ads'],
  ['ppc', 'search_ads'],
  ['referral', 'referral'],
  ['phone', 'phone_call'],
  ['call', 'phone_call'],
  ['website', 'website_form'],
  ['web', 'website_form'],
] as const

export type LeadCategory = (typeof KEYWORDS)[number][1] | 'other'

/** Every category a lead can have. */
export const LEAD_CATEGORIES: LeadCategory[] = [...new Set(KEYWORDS.map(([, category]) => category)), 'other']

/** How a lead's source was read: the category, and the keyword that decided, absent for `other`. */
export type Categorized = { category: LeadCategory; keyword: string | undefined }

// At the start of a word only: `FacebookAds` and `google_ads` count; the `fb` in surfboard and the `angi` in changing do not.
const PATTERNS = KEYWORDS.map(
  ([keyword, category]) => ({ keyword, category, pattern: new RegExp(`(?<![\\p{L}\\p{N}])${keyword}`, 'iu') }) as const,
)

/** The category of a lead's source text (specification 4.3); `other` when it has no keyword. */
export function categorize(leadSource: string | undefined): Categorized {
  const found = leadSource === undefined ? undefined : PATTERNS.find(({ pattern }) => pattern.test(leadSource))
  return { category: found?.category ?? 'other', keyword: found?.keyword }
}
