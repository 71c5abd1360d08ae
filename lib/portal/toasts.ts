/** A word about what was done; `bad` stays until it is closed. */
export type Toast = { text: string; tone?: 'good' | 'bad' }

const EVENT = 'plumbline:toast'

/** Says something at the edge of the page, politely, from anywhere in the browser. */
export function toast(text: string, tone: Toast['tone'] = 'good'): void {
  window.dispatchEvent(new CustomEvent<Toast>(EVENT, { detail: { text, tone } }))
}

/** Calls `hear` for every toast until the returned function is called. */
export function onToast(hear: (toast: Toast) => void): () => void {
  const listen = (event: Event) => event instanceof CustomEvent && hear(event.detail)
  window.addEventListener(EVENT, listen)
  return () => window.removeEventListener(EVENT, listen)
}
