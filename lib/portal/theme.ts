/** The reader's color theme; `system` follows the device. */
export type Theme = 'system' | 'light' | 'dark'

export const THEMES = ['system', 'light', 'dark'] as const satisfies Theme[]

/** The cookie with the choice, so that the server renders the right colors. It is no secret; scripts write it. */
export const THEME_COOKIE = 'plumbline-theme'

/** Returns the theme of a cookie's value; an unknown one is `system`. */
export const themeOf = (value: string | undefined): Theme => THEMES.find((theme) => theme === value) ?? 'system'

/** Applies a theme to this page and stores it for a year. */
export function chooseTheme(theme: Theme): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset.theme
  else dataset.theme = theme
  const age = theme === 'system' ? 0 : 31_536_000
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser.
  document.cookie = `${THEME_COOKIE}=${theme}; Path=/; Max-Age=${age}; SameSite=Lax${location.protocol === 'https:' ? '; Secure' : ''}`
}
