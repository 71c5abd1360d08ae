import { expect, test } from 'vitest'
import { categorize } from './category'

test.each([
  ['Angi', 'angi', 'angi'],
  ['angies list', 'angi', 'angi'],
  ['HomeAdvisor Pro', 'homeadvisor', 'homeadvisor'],
  ['THUMBTACK', 'thumbtack', 'thumbtack'],
  ['Houzz.com', 'houzz', 'houzz'],
  ['nextdoor neighbor', 'nextdoor', 'nextdoor'],
  ['FacebookAds', 'social_ads', 'facebook'],
  ['paid-fb', 'social_ads', 'fb'],
  ['google_ads', 'search_ads', 'google'],
  ['my_google_ads', 'search_ads', 'google'],
  ['AdWords', 'search_ads', 'adwords'],
  ['PPC campaign', 'search_ads', 'ppc'],
  ['Referral: neighbor', 'referral', 'referral'],
  ['Phone', 'phone_call', 'phone'],
  ['Called the office', 'phone_call', 'call'],
  ['our Website', 'website_form', 'website'],
  ['Web form', 'website_form', 'web'],
  ['website via Google', 'search_ads', 'google'],
  ['phone call from a referral', 'referral', 'referral'],
  ['Facebook or Angi', 'angi', 'angi'],
  ['changing rooms', 'other', undefined],
  ['surfboard', 'other', undefined],
  ['cobweb', 'other', undefined],
  ['recall', 'other', undefined],
  ['Yard sign', 'other', undefined],
  ['changing', 'other', undefined],
  ['ask locally', 'other', undefined],
  ['recalled by Angi', 'angi', 'angi'],
  ['Telephone', 'phone_call', 'phone'],
  ['Cellphone', 'phone_call', 'phone'],
  ['MyWebsite', 'website_form', 'website'],
  ['éweb', 'website_form', 'web'],
  ['HomeAngi', 'angi', 'angi'],
  ['instagram_feed', 'social_ads', 'instagram'],
  ['ig', 'social_ads', 'ig'],
  ['paid: IG', 'social_ads', 'ig'],
  ['digital original', 'other', undefined],
  ['', 'other', undefined],
])('%s is %s', (text, category, keyword) => {
  expect(categorize(text)).toEqual({ category, keyword })
})

test('a missing source is other', () => {
  expect(categorize(undefined)).toEqual({ category: 'other', keyword: undefined })
})
