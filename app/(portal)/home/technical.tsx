import type * as z from 'zod'
import { Stat } from '@/app/ui/stat'
import { isExplorerKey } from '@/lib/auth/people/explorer-key'
import type { Desk } from '@/lib/core/desk'
import { momentIn } from '@/lib/core/time'
import { mayRun } from '@/lib/operations/access'
import type { Context } from '@/lib/operations/define'
import { execute } from '@/lib/operations/execute'
import { listKeys } from '@/lib/operations/keys/list-keys'
import type { getOverview } from '@/lib/operations/overview/get-overview'
import { getUsage } from '@/lib/operations/requests/usage'
import { listSources } from '@/lib/operations/sources/list-sources'
import { listWebhooks } from '@/lib/operations/webhooks/list-webhooks'

type Props = { ctx: Context; desk: Desk }

async function Requests({ ctx, desk: { words, today, zone } }: Props) {
  const from = momentIn(zone, `${today}T00:00:00Z`)
  const { total, periods } = await execute(getUsage, ctx, { from })
  const requests = words.count(total.requests, 'request')
  return (
    <Stat
      size="small"
      name="Requests today"
      figure={words.number(total.requests)}
      href={total.errors > 0 ? `/logs?${new URLSearchParams({ status: 'failed', from: from ?? today })}` : '/logs'}
      note={total.errors === 0 ? 'No errors' : words.count(total.errors, 'error')}
      line={{ label: `Requests by hour today: ${requests}`, values: periods.map((period) => period.requests) }}
    />
  )
}

/** Keys that work, without those that the explorer made for an hour. */
async function Keys({ ctx, desk: { words } }: Props) {
  const { items } = await execute(listKeys, ctx, {})
  const lasting = items.filter((key) => key.state === 'active' && !isExplorerKey(key))
  return <Stat size="small" name="Keys" figure={words.number(lasting.length)} note="in use" href="/keys" />
}

async function Webhooks({ ctx, desk: { words } }: Props) {
  const { items } = await execute(listWebhooks, ctx, {})
  if (items.length === 0) return null
  const active = items.filter(({ state }) => state !== 'paused').length
  return (
    <Stat
      size="small"
      name="Webhooks"
      figure={words.number(active)}
      note={`of ${words.number(items.length)} active`}
      href="/outgoing"
    />
  )
}

async function Sources({ ctx, desk: { words } }: Props) {
  const { items } = await execute(listSources, ctx, {})
  if (items.length === 0) return null
  const good = items.filter(({ health }) => health === 'fresh' || health === 'new').length
  return (
    <Stat
      size="small"
      name="Scheduled sources"
      figure={words.number(good)}
      note={`of ${words.number(items.length)} up to date`}
      href="/data/sources"
    />
  )
}

/** What programs and files do: requests, keys, webhooks, and how old the data is. Each part is for those who have its page. */
export function Technical({
  ctx,
  desk,
  overview: { loadedAt, changedAt },
}: Props & { overview: z.output<typeof getOverview.output> }) {
  const { words, now } = desk
  const moment = (at: string) => words.moment(new Date(at), now)
  return (
    <section aria-labelledby="connected" className="mt-8">
      <h2 id="connected" className="mb-3 text-lg">
        Data and connections
      </h2>
      <div className="flex flex-wrap gap-3 *:min-w-0 *:grow *:basis-48">
        <Stat
          size="small"
          name="Last load"
          figure={loadedAt ? moment(loadedAt) : 'None yet'}
          note={changedAt ? `Last change ${moment(changedAt)}` : 'No records yet'}
          href={ctx.actor.kind === 'person' && ctx.actor.role === 'admin' ? '/data/load' : undefined}
        />
        {mayRun(getUsage, ctx.actor) && <Requests ctx={ctx} desk={desk} />}
        {mayRun(listKeys, ctx.actor) && <Keys ctx={ctx} desk={desk} />}
        {mayRun(listWebhooks, ctx.actor) && <Webhooks ctx={ctx} desk={desk} />}
        {mayRun(listSources, ctx.actor) && <Sources ctx={ctx} desk={desk} />}
      </div>
    </section>
  )
}
