/** How the reader wants pages to look; `system` follows the device. */
export type Theme = 'system' | 'light' | 'dark'

export const THEMES = ['system', 'light', 'dark'] as const satisfies Theme[]

/** The cookie that keeps the choice, so that the first byte of a page is in the right colors. No secret: scripts write it. */
export const THEME_COOKIE = 'plumbline-theme'

/** The choice a cookie's value stands for; anything unknown is `system`. */
export const themeOf = (value: string | undefined): Theme => THEMES.find((theme) => theme === value) ?? 'system'

/** Applies a choice to this page and keeps it for a year. */
export function chooseTheme(theme: Theme): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset.theme
  else dataset.theme = theme
  const age = theme === 'system' ? 0 : 31_536_000
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser.
  document.cookie = `${THEME_COOKIE}=${theme}; Path=/; Max-Age=${age}; SameSite=Lax${location.protocol === 'https:' ? '; Secure' : ''}`
}
