/** The languages samples are shown in, by the name of each tab. */
export const LANGUAGES = ['curl', 'typescript', 'python', 'go', 'php', 'ruby', 'csharp'] as const
export type SampleLanguage = (typeof LANGUAGES)[number]

/** The cookie that keeps the reader's choice, so that a page comes with the right tab open. No secret: scripts write it. */
export const LANGUAGE_COOKIE = 'plumbline-language'

/** What the page tells itself when a language is chosen, so that all its samples follow. */
const CHOSEN = 'plumbline:language'

/** The choice a cookie's value stands for; undefined for anything unknown. */
export const languageOf = (value: string | undefined): SampleLanguage | undefined =>
  LANGUAGES.find((language) => language === value)

/** Keeps a choice for a year and tells the page; what is no language is not kept. */
export function chooseLanguage(value: string): void {
  const language = languageOf(value)
  if (!language) return
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser.
  document.cookie = `${LANGUAGE_COOKIE}=${language}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`
  window.dispatchEvent(new CustomEvent(CHOSEN, { detail: language }))
}

/** Calls `listen` whenever a language is chosen on this page. @returns ends it */
export function onLanguage(listen: (language: SampleLanguage) => void): () => void {
  const told = (event: Event) => {
    const language = event instanceof CustomEvent ? languageOf(String(event.detail)) : undefined
    if (language) listen(language)
  }
  window.addEventListener(CHOSEN, told)
  return () => window.removeEventListener(CHOSEN, told)
}
