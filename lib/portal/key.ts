const STORED_AT = 'plumbline.console.key'
const SHAPE = /^plb_(live|test)_[0-9A-Za-z]{46}$/

/** Returns the key stored for this tab, empty when there is none. It is deleted when the tab closes, and other tabs cannot read it. */
export function storedKey(): string {
  try {
    return sessionStorage.getItem(STORED_AT) ?? ''
  } catch {
    // A browser may forbid storage; the key must then be pasted again after a reload.
    return ''
  }
}

/** Stores the key for this tab; an empty one removes it. */
export function storeKey(key: string): void {
  try {
    if (key) sessionStorage.setItem(STORED_AT, key)
    else sessionStorage.removeItem(STORED_AT)
  } catch {
    // A browser may forbid storage.
  }
}

/** Returns why a text cannot be a key, before it is sent anywhere; undefined when it can be one. */
export function keyFault(text: string): string | undefined {
  if (text === '') return 'Paste a key first: it begins with plb_live_ or plb_test_.'
  if (SHAPE.test(text)) return undefined
  if (!/^plb_(live|test)_/.test(text)) return 'A key begins with plb_live_ or plb_test_. Paste the whole key.'
  return `A key has 55 characters; this has ${text.length}. Paste the whole key, without spaces.`
}
