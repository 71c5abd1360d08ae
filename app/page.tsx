import { connection } from 'next/server'
import { baseUrls, env } from '@/lib/core/env'
import { Mark } from './mark'

const SAMPLE = (api: string) => `$ curl -G ${api}/invoices \\
    -d status=overdue -d limit=1 \\
    -H "x-api-key: $PLUMBLINE_KEY"

{"apiVersion":"v1",
 "items":[{"id":"inv_prj_01jb2wa0c5…_1760281445123",
   "number":"26-0107-1","amount":7380.30,
   "currency":"USD","status":"overdue",
   "dueDate":"2026-11-11T00:00:00.000Z", …}],
 "nextPageToken":"eyJhdCI6IjIwMjYtMTEtMTJ…"}`

const ROUTES = [
  {
    href: '/developers/api',
    name: 'API explorer',
    text: 'Every endpoint, its parameters and answers; try them with a key.',
  },
  {
    href: '/api/v1/openapi',
    name: 'OpenAPI document',
    text: 'For client generators and tools. Add ?version=3.0 for older ones.',
  },
  { href: '/health', name: 'Health', text: 'Whether the service and its database answer.' },
]

export default async function Landing() {
  await connection()
  const urls = baseUrls(env())
  return (
    <div className="page">
      <header>
        <Mark />
      </header>
      <main>
        <section className="lead">
          <div>
            <h1>A contractor’s books, ready to read</h1>
            <p>
              Customers, projects, invoices and payments over a read-only REST API: exact amounts, delta sync that
              misses nothing, signed page tokens, clear limits. Load the CSV files your office software exports, issue a
              key, and sync.
            </p>
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1). */}
          <pre tabIndex={0}>
            <code>{SAMPLE(`${urls.api}${urls.apiPrefix}`)}</code>
          </pre>
        </section>
        <ul className="routes">
          {ROUTES.map(({ href, name, text }) => (
            <li key={href}>
              <a href={href}>{name}</a>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </main>
    </div>
  )
}
