/** A short message about an action; a `bad` one stays until it is closed. */
export type Toast = { text: string; tone?: 'good' | 'danger' }

const EVENT = 'plumbline:toast'

/** Shows a toast from anywhere in the browser; screen readers announce it politely. */
export function toast(text: string, tone: Toast['tone'] = 'good'): void {
  window.dispatchEvent(new CustomEvent<Toast>(EVENT, { detail: { text, tone } }))
}

/** Calls `listener` for every toast until the returned function is called. */
export function onToast(listener: (toast: Toast) => void): () => void {
  const listen = (event: Event) => event instanceof CustomEvent && listener(event.detail)
  window.addEventListener(EVENT, listen)
  return () => window.removeEventListener(EVENT, listen)
}
