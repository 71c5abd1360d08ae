import * as z from 'zod'
import { database, withinContractor } from '@/db/client'
import { type Contractor, changeContractor as changeStored, findContractor } from '@/db/queries/contractors'
import { personOf } from '@/lib/auth/actor'
import { audit } from '@/lib/auth/audit'
import { COUNTRIES, countryOf, localeOf } from '@/lib/core/country'
import { ServiceError } from '@/lib/core/errors'
import { defineOperation } from '../define'

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en-US', { timeZone: name }))
  } catch {
    return false
  }
}

function isLocale(name: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf([name]).length === 1
  } catch {
    return false
  }
}

export const ContractorName = z.string().trim().min(1, 'is required').max(200)
export const TimeZone = z
  .string()
  .max(100)
  .refine(isTimeZone, 'must be a time zone such as America/Chicago')
  .describe('By whose days everything counts')
export const CurrencyCode = z
  .string()
  .regex(/^[A-Z]{3}$/, 'must be three capital letters such as USD')
  .describe('Of contract sums, and of what names no other')
const Locale = z
  .string()
  .max(35)
  .refine(isLocale, 'must be a locale such as en-US (BCP 47)')
  .describe('How people are shown days and numbers')

const Settings = z.object({
  name: z.string(),
  timezone: z.string(),
  currency: z.string(),
  country: z.string().nullable().describe('As it was set, two letters (ISO 3166-1); null when it was not'),
  derivedCountry: z
    .string()
    .nullable()
    .describe('What the time zone and the currency say, which counts where none was set'),
  locale: z.string().nullable().describe('As it was set; null when it was not'),
  derivedLocale: z.string().describe('As the country writes, which counts where none was set'),
})

const A_SETTING: z.output<typeof Settings> = {
  name: 'Harpeth Roofing',
  timezone: 'America/Chicago',
  currency: 'USD',
  country: null,
  derivedCountry: 'US',
  locale: null,
  derivedLocale: 'en-US',
}

function settingsOf(contractor: Contractor): z.output<typeof Settings> {
  const { name, timezone, currency, country, locale } = contractor
  const derivedCountry = countryOf({ timezone, currency }) ?? null
  const derivedLocale = localeOf({ timezone, currency, country })
  return { name, timezone, currency, country, derivedCountry, locale, derivedLocale }
}

const gone = () => new ServiceError('not_found', 'This contractor is gone.')

/** Shows what settles how a contractor's records are read, counted and shown. */
export const getContractorSettings = defineOperation({
  name: 'get_contractor_settings',
  title: 'Settings of the contractor',
  description: 'Name, time zone, currency, country and locale of a contractor, as they were set and as they count.',
  access: 'admin',
  effect: 'read',
  input: z.object({}).strict(),
  output: Settings,
  example: A_SETTING,
  run: async ({ actor }) => {
    const contractor = await findContractor((await database()).orm, actor.contractorId)
    if (!contractor) throw gone()
    return settingsOf(contractor)
  },
})

/** Changes what settles how a contractor's records are read, counted and shown. */
export const changeContractor = defineOperation({
  name: 'change_contractor',
  title: 'Change the contractor',
  description:
    'Changes name, time zone, currency, country or locale. By another time zone, statuses and open amounts are reckoned again at once; by another country, later files are read. ' +
    'No amount is converted: another currency is that of contract sums from then on.',
  access: 'admin',
  effect: 'write',
  input: z
    .object({
      name: ContractorName.optional(),
      timezone: TimeZone.optional(),
      currency: CurrencyCode.optional(),
      country: z.enum(COUNTRIES).nullable().optional().describe('Null leaves it to the time zone and the currency'),
      locale: Locale.nullable().optional().describe('Null leaves it to the country'),
    })
    .strict(),
  output: Settings,
  example: A_SETTING,
  run: async ({ actor }, changes) => {
    const by = personOf(actor)
    const { contractorId } = by
    return await withinContractor((await database()).orm, contractorId, async (orm) => {
      const before = await findContractor(orm, contractorId)
      if (!before) throw gone()
      const changed = Object.entries(changes).filter(([name, value]) => Reflect.get(before, name) !== value)
      if (changed.length === 0) return settingsOf(before)
      await changeStored(orm, contractorId, Object.fromEntries(changed))
      const detail = Object.fromEntries(changed.map(([name]) => [name, String(Reflect.get(before, name) ?? '')]))
      const subject = changed.map(([name, value]) => `${name} ${value ?? 'as derived'}`).join(', ')
      await audit(orm, by, { event: 'contractor_changed', subject, detail })
      return settingsOf({ ...before, ...Object.fromEntries(changed) })
    })
  },
})
