const AMOUNT = /^(\d{1,3}(?:,\d{3})+|\d+)?(?:\.(\d{1,4}))?$/

/**
 * An amount as office software writes it, as an exact decimal string for a `numeric` column: `$1,250.00` -> `1250.00`,
 * `(75.5)`, `<75.5>` and `-$75.50` -> `-75.50`, `USD 12` -> `12.00`. Undefined when it is not an amount with at most two decimals, or as
 * many as are asked for, up to four.
 */
export function parseMoney(text: string, decimals = 2): string | undefined {
  let rest = text.replace(/[\s\u00a0]/g, '').replace(/^(?:US\$|USD)|USD$/i, '')
  const inBrackets = /^(?:\(.*\)|<.*>)$/.test(rest)
  if (inBrackets) rest = rest.slice(1, -1)
  const [, before = '', within = '', digits = '', behind = ''] =
    /^([-\u2212]?)\$?([-\u2212]?)([\d.,]*)([-\u2212]?)$/.exec(rest) ?? []
  const signs = before.length + within.length + behind.length
  if (signs > 1 || (inBrackets && signs > 0)) return undefined
  const parts = AMOUNT.exec(digits)
  const part = parts?.[2] ?? ''
  if (!parts || digits === '' || digits === '.' || part.length > decimals) return undefined
  const whole = (parts[1] ?? '0').replaceAll(',', '').replace(/^0+(?=\d)/, '')
  if (whole.length > 12) return undefined
  const amount = `${whole}.${part.slice(0, 2).padEnd(2, '0')}${part.slice(2).replace(/0{1,2}$/, '')}`
  return (signs === 1 || inBrackets) && amount !== '0.00' ? `-${amount}` : amount
}
