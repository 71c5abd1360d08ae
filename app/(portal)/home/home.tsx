import { links } from '@/app/links'
import { desk as deskOfRequest } from '@/app/session/desk'
import { PageHead } from '@/app/ui/card'
import { NeedsYou } from '@/app/ui/needs-you'
import type { PersonActor } from '@/lib/auth/actor'
import { mayRun } from '@/lib/operations/access'
import { execute } from '@/lib/operations/execute'
import { getBusinessOverview } from '@/lib/operations/overview/get-business-overview'
import { getOverview } from '@/lib/operations/overview/get-overview'
import { getReceivablesAging } from '@/lib/operations/reports/receivables-aging'
import { Checklist } from './checklist'
import { Figures } from './figures'
import { Technical } from './technical'
import { waitingOf } from './waiting'
import { WhoOwesMost } from './who-owes-most'

/** The home page of a signed-in person: how the business stands, what waits for them, who owes most, and what is connected. */
export async function Home({ actor, contractor }: { actor: PersonActor; contractor: string }) {
  const desk = await deskOfRequest()
  const ctx = { actor, now: desk.now }
  const [business, overview] = await Promise.all([execute(getBusinessOverview, ctx, {}), execute(getOverview, ctx, {})])
  return (
    <>
      <PageHead title={contractor} text={desk.words.day(desk.today)} />
      {overview.begun && (
        <Checklist begun={overview.begun} isAdmin={actor.role === 'admin'} console={links().console} />
      )}
      <Figures business={business} desk={desk} />
      <div className="grid gap-5 *:min-w-0 xl:grid-cols-2">
        <NeedsYou waiting={waitingOf(business, overview, desk)} />
        {mayRun(getReceivablesAging, actor) && <WhoOwesMost ctx={ctx} desk={desk} />}
      </div>
      <Technical ctx={ctx} desk={desk} overview={overview} />
    </>
  )
}
