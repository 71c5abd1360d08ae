'use client'

import { Button } from '@/app/ui/button'
import { type Call, outcomeWord } from '@/lib/portal/calls'
import { visible } from '@/lib/portal/json'

type Props = {
  calls: Call[]
  canRepeat: boolean
  onShow(call: Call): void
  onRepeat(call: Call): void
  onClear(): void
}

/** The calls made in this tab, newest first. They are gone when the page closes. */
export function History({ calls, canRepeat, onShow, onRepeat, onClear }: Props) {
  return (
    <section aria-labelledby="history-title">
      <h2 id="history-title" className="mb-1">
        History
      </h2>
      <p className="mb-3 text-quiet">Calls made since this page was opened. A repeated call uses the same arguments.</p>
      <ol className="mb-3 divide-y divide-line overflow-hidden rounded-lg border border-line bg-raised">
        {calls.map((call) => (
          <li key={call.id} className="grid items-center gap-x-4 gap-y-1 px-4 py-3 md:grid-cols-[12rem_1fr_auto_auto]">
            <span className="font-mono font-semibold wrap-anywhere">{call.tool}</span>
            <code className="font-mono text-sm">{visible(JSON.stringify(call.args))}</code>
            <span className="text-sm text-quiet">
              {outcomeWord(call)}
              {call.exchange ? `, ${Math.round(call.exchange.ms)} ms` : ''}, {call.at.toLocaleTimeString()}
            </span>
            <div className="flex flex-wrap gap-2">
              {(['Show', 'Repeat'] as const).map((word) => (
                <Button
                  key={word}
                  size="small"
                  aria-disabled={!canRepeat}
                  aria-label={`${word} ${call.tool}, ${call.at.toLocaleTimeString()}`}
                  onClick={() => canRepeat && (word === 'Show' ? onShow(call) : onRepeat(call))}
                >
                  {word}
                </Button>
              ))}
            </div>
          </li>
        ))}
      </ol>
      <Button size="small" onClick={onClear}>
        Clear history
      </Button>
    </section>
  )
}
