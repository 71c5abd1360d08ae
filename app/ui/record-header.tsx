import type { ReactNode } from 'react'
import { Badge, type Tone } from './badge'
import { Breadcrumb, type Crumb } from './breadcrumb'

type Props = {
  /** The list that the record is of. */
  list: Crumb
  title: string
  status?: { word: string; tone: Tone } | undefined
  /** What people open the record for, such as its balance, and what explains it. */
  figure?: { name: string; value: string; text?: string | undefined } | undefined
  /** What it belongs to, and its days. */
  facts?: [name: string, value: ReactNode][]
  actions?: ReactNode
}

/** The head of a record’s page: where it belongs, what it is called, how it stands, and the figure that matters most. */
export function RecordHeader({ list, title, status, figure, facts = [], actions }: Props) {
  return (
    <header className="mb-6">
      <Breadcrumb pages={[list]} />
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="min-w-0 wrap-anywhere">{title}</h1>
          {status && <Badge tone={status.tone}>{status.word}</Badge>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      {figure && (
        <p className="mt-3">
          <span className="sr-only">{figure.name}: </span>
          <span className="me-2 text-3xl font-semibold tabular-nums">{figure.value}</span>
          {figure.text && <span className="inline-block text-quiet tabular-nums">{figure.text}</span>}
        </p>
      )}
      {facts.length > 0 && (
        <dl className="mt-4 flex flex-wrap gap-x-8 gap-y-2 text-md">
          {facts.map(([name, value]) => (
            <div key={name} className="min-w-0">
              <dt className="text-quiet">{name}</dt>
              <dd className="wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </header>
  )
}
