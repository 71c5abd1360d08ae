import type { Metadata } from 'next'
import { connection } from 'next/server'
import { desk } from '@/app/session/desk'
import { Badge } from '@/app/ui/badge'
import { LinkButton } from '@/app/ui/button'
import { Card, PageHead } from '@/app/ui/card'
import { SERVICE } from '@/lib/core/service'
import { FEED_PATH } from '@/lib/http/endpoint'
import { execute } from '@/lib/operations/execute'
import { getStatus } from '@/lib/operations/status/get-status'
import { PARTS, STATUS_DAYS } from '@/lib/operations/status/parts'
import { BackgroundWork } from './background-work'
import { History } from './history'

export const metadata: Metadata = {
  title: 'Status',
  description: `The current status of ${SERVICE.name}, and its checks on each of the last ${STATUS_DAYS} days.`,
  alternates: { canonical: '/status' },
}

const NOW = {
  healthy: { tone: 'good', word: 'Operational', said: 'All systems operational' },
  degraded: { tone: 'warn', word: 'Degraded', said: 'Some parts have problems' },
  unhealthy: { tone: 'danger', word: 'Outage', said: 'The service cannot answer requests' },
} as const

export default async function StatusPage() {
  await connection()
  const now = new Date()
  const answer = await execute(getStatus, { now }, () => ({ values: {}, whole: 'input' }), 'text')
  const { status, summary, parts, work } = getStatus.output.parse(JSON.parse(answer.text))
  const { tone, word, said } = NOW[status]
  // The badge says the status.
  const figures = summary.replace(/^\w+: /, '').replace(/^./, (first) => first.toUpperCase())
  return (
    <>
      <PageHead
        title="Status"
        text={`${SERVICE.name} checks itself every minute. These are the checks of the last ${STATUS_DAYS} days.`}
        actions={
          <>
            <LinkButton size="small" href="/developers/guides/changelog">
              API changelog
            </LinkButton>
            <LinkButton size="small" href={FEED_PATH}>
              RSS
            </LinkButton>
          </>
        }
      />
      <div className="grid gap-5">
        <Card title={said} actions={<Badge tone={tone}>{word}</Badge>}>
          <p className="text-quiet">
            {figures}. Checked{' '}
            <time dateTime={now.toISOString()}>{now.toISOString().slice(0, 16).replace('T', ' ')} UTC</time>.
          </p>
        </Card>
        {parts.map(({ part, days }) => (
          <Card key={part} title={PARTS[part].name} text={`${PARTS[part].asks}.`}>
            <History name={PARTS[part].name} days={days} />
          </Card>
        ))}
        {work.length > 0 && <BackgroundWork work={work} desk={await desk()} />}
        <p className="max-w-prose text-sm text-quiet">
          On a day without checks the service was not running or not installed yet. Checks that the database could not
          store are stored once it answers again.
        </p>
      </div>
    </>
  )
}
