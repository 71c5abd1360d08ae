import { angi } from './angi'
import type { JsonObject, LeadSource } from './define'
import { googleAds } from './google-ads'
import { thumbtack } from './thumbtack'
import { zapier } from './zapier'

/** The senders that are read as they are, the most particular first: any flat form looks like the last. */
export const sources: LeadSource[] = [googleAds, thumbtack, angi, zapier]

export const findSource = (name: string): LeadSource | undefined => sources.find((source) => source.name === name)

/** Whose body this is, by its shape. */
export const detectSource = (body: JsonObject): LeadSource | undefined =>
  sources.find((source) => source.recognises(body))

/** Senders whose own webhook carries no lead, only a hint to fetch one: they come in by way of another. */
export const INDIRECT: Record<string, string> = {
  meta: 'Meta posts only the id of a lead, without its answers. Connect its lead ads in Zapier and post to /api/webhooks/leads/zapier.',
  facebook:
    'Facebook posts only the id of a lead, without its answers. Connect its lead ads in Zapier and post to /api/webhooks/leads/zapier.',
  nextdoor:
    'Nextdoor has no webhook of its own. Connect its lead ads in Zapier and post to /api/webhooks/leads/zapier.',
}
