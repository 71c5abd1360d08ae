const STORED_AT = 'plumbline.console.key'
const SHAPE = /^plb_(live|test)_[0-9A-Za-z]{46}$/

/** The key kept in this tab: it is gone when the tab closes, and no other tab sees it. Empty when there is none. */
export function keptKey(): string {
  try {
    return sessionStorage.getItem(STORED_AT) ?? ''
  } catch {
    // A browser may forbid storage; the key is then pasted again after a reload.
    return ''
  }
}

/** Keeps the key in this tab; an empty one is forgotten. */
export function keepKey(key: string): void {
  try {
    if (key) sessionStorage.setItem(STORED_AT, key)
    else sessionStorage.removeItem(STORED_AT)
  } catch {
    // As above.
  }
}

/** Returns why a text cannot be a key, before it is sent anywhere; undefined when it can be one. */
export function keyFault(text: string): string | undefined {
  if (text === '') return 'Paste a key first: it begins with plb_live_ or plb_test_.'
  if (SHAPE.test(text)) return undefined
  if (!/^plb_(live|test)_/.test(text)) return 'A key begins with plb_live_ or plb_test_. Paste the whole key.'
  return `A key has 55 characters; this has ${text.length}. Paste the whole key, without spaces.`
}
