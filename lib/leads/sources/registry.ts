import { angi } from './angi'
import type { JsonObject, LeadSource } from './define'
import { googleAds } from './google-ads'
import { thumbtack } from './thumbtack'
import { zapier } from './zapier'

/** Senders with their own format, the most specific first: any flat form matches the last. */
export const sources: LeadSource[] = [googleAds, thumbtack, angi, zapier]

export const findSource = (name: string): LeadSource | undefined => sources.find((source) => source.name === name)

/** The source of a body, detected by its shape. */
export const detectSource = (body: JsonObject): LeadSource | undefined =>
  sources.find((source) => source.recognizes(body))

/** Senders whose webhook only announces a lead; the lead itself arrives through another source. */
export const INDIRECT: Record<string, string> = {
  meta: 'Meta posts only the id of a lead, without its answers. Connect its lead ads in Zapier and post to /api/webhooks/leads/zapier.',
  facebook:
    'Facebook posts only the id of a lead, without its answers. Connect its lead ads in Zapier and post to /api/webhooks/leads/zapier.',
  nextdoor:
    'Nextdoor has no webhook of its own. Connect its lead ads in Zapier and post to /api/webhooks/leads/zapier.',
}
