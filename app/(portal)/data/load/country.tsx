import type { PersonActor } from '@/lib/auth/actor'
import { getContractorSettings } from '@/lib/operations/contractors/settings'
import { execute } from '@/lib/operations/execute'
import { CountryForm } from './country.client'

/** The country that settles how files are read where they do not show it, and the form that sets it. */
export async function Country({ actor }: { actor: PersonActor }) {
  const { country, derivedCountry } = await execute(getContractorSettings, { actor, now: new Date() }, {})
  return (
    <section aria-labelledby="country" className="mt-8 grid max-w-prose gap-3">
      <h2 id="country">How your office writes</h2>
      <p>
        The country settles which comes first in dates, the day or the month, and how amounts and phones are read, where
        the files themselves do not show it.
      </p>
      <CountryForm contractorId={actor.contractorId} country={country} derived={derivedCountry} />
    </section>
  )
}
