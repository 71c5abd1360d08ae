import { LinkButton } from '@/app/ui/button'
import { Card } from '@/app/ui/card'
import { classes } from '@/app/ui/classes'

type FirstSteps = { load: boolean; key: boolean; request: boolean; lead: boolean; tool: boolean }
type Step = { done: boolean; name: string; text: string; action: string; href: string; forAdmin?: boolean }

const stepsOf = (begun: FirstSteps, console: string): Step[] => [
  {
    done: begun.load,
    name: 'Load your data',
    text: 'Upload the CSV files that your office software exports.',
    action: 'Load files',
    href: '/data/load',
    forAdmin: true,
  },
  {
    done: begun.key,
    name: 'Create a key',
    text: 'Use one key per integration, lead source or agent.',
    action: 'Create key',
    href: '/keys/new',
    forAdmin: true,
  },
  {
    done: begun.request,
    name: 'Make the first request',
    text: 'The quick start shows when it arrives.',
    action: 'Quick start',
    href: '/developers/guides/quick-start',
  },
  {
    done: begun.lead,
    name: 'Receive the first lead',
    text: 'From Angi, Thumbtack, Google Ads, Zapier or a web form.',
    action: 'Connect a source',
    href: '/developers/guides/leads',
  },
  {
    done: begun.tool,
    name: 'Call the first tool',
    text: 'Call it over MCP as an agent does.',
    action: 'Open the console',
    href: console,
  },
]

/** How many open steps are shown as one line. */
const NEARLY = 2

function Action({ step, isAdmin, look }: { step: Step; isAdmin: boolean; look: 'main' | 'plain' }) {
  if (step.forAdmin && !isAdmin) return <span className="text-sm text-quiet">Ask an administrator</span>
  return (
    <LinkButton size="small" look={look} href={step.href}>
      {step.action}
    </LinkButton>
  )
}

/** Shows the first steps until all are done. Each open step has a button; the next step's is the main one. The last ones are a line. */
export function Checklist({ begun, isAdmin, console }: { begun: FirstSteps; isAdmin: boolean; console: string }) {
  const steps = stepsOf(begun, console)
  const open = steps.filter(({ done }) => !done)
  const [next] = open
  if (!next) return null
  const done = `${steps.length - open.length} of ${steps.length} done`
  if (open.length <= NEARLY)
    return (
      <section
        aria-label="Get started"
        className="mb-6 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-raised px-5 py-2.5"
      >
        <span className="text-quiet">Get started: {done}. Next:</span>
        <span className="font-medium">{next.name}</span>
        <span className="ms-auto">
          <Action step={next} isAdmin={isAdmin} look="plain" />
        </span>
      </section>
    )
  return (
    <Card title="Get started" text={done} className="mb-6">
      <ol className="grid gap-3">
        {steps.map((step, index) => (
          <li key={step.name} className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <span
              aria-hidden="true"
              className={classes(
                'grid size-6 shrink-0 place-items-center rounded-full border text-sm',
                step.done ? 'border-good text-good' : 'border-edge text-quiet',
              )}
            >
              {step.done ? '✓' : index + 1}
            </span>
            <span className="min-w-0 flex-1 basis-48">
              <span className={classes('font-medium', step.done && 'text-quiet')}>
                {step.name}
                {step.done && <span className="sr-only">: done</span>}
              </span>
              {!step.done && <span className="block text-sm text-quiet">{step.text}</span>}
            </span>
            {!step.done && <Action step={step} isAdmin={isAdmin} look={step === next ? 'main' : 'plain'} />}
          </li>
        ))}
      </ol>
    </Card>
  )
}
