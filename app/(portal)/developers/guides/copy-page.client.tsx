'use client'

import { useState } from 'react'
import { Button } from '@/app/ui/button'
import { toast } from '@/lib/portal/toasts'

const NOT_COPIED = 'The page was not copied. Open it as Markdown and copy it there.'

async function markdownOf(path: string): Promise<Blob> {
  const answer = await fetch(path)
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
  return new Blob([await answer.text()], { type: 'text/plain' })
}

/** Copies the page's Markdown, which language models read best, to the clipboard. */
export function CopyPage({ path }: { path: string }) {
  const [isBusy, setBusy] = useState(false)
  async function copy(): Promise<void> {
    if (isBusy) return
    setBusy(true)
    // The clipboard gets the promise at once, because Safari refuses to copy after the click has ended.
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': markdownOf(path) })]).then(
      () => toast('Copied this page as Markdown.'),
      () => toast(NOT_COPIED, 'danger'),
    )
    setBusy(false)
  }
  return (
    <Button size="small" className="noscript:hidden" aria-disabled={isBusy} onClick={copy}>
      Copy page for LLM
    </Button>
  )
}
