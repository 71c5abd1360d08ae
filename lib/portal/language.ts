/** The languages of the code samples, one tab each. */
export const LANGUAGES = ['curl', 'typescript', 'python', 'go', 'php', 'ruby', 'csharp'] as const
export type SampleLanguage = (typeof LANGUAGES)[number]

/** The cookie with the reader's choice, so that the server renders the right tab. It is no secret; scripts write it. */
export const LANGUAGE_COOKIE = 'plumbline-language'

/** The event that tells all samples on the page that a language was chosen. */
const CHOSEN = 'plumbline:language'

/** Returns the language of a cookie's value; undefined for an unknown one. */
export const languageOf = (value: string | undefined): SampleLanguage | undefined =>
  LANGUAGES.find((language) => language === value)

/** Stores a choice for a year and updates the page; an unknown language is ignored. */
export function chooseLanguage(value: string): void {
  const language = languageOf(value)
  if (!language) return
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser.
  document.cookie = `${LANGUAGE_COOKIE}=${language}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`
  window.dispatchEvent(new CustomEvent(CHOSEN, { detail: language }))
}

/** Calls `listen` whenever a language is chosen on this page. @returns a function that stops listening */
export function onLanguage(listen: (language: SampleLanguage) => void): () => void {
  const onEvent = (event: Event) => {
    const language = event instanceof CustomEvent ? languageOf(String(event.detail)) : undefined
    if (language) listen(language)
  }
  window.addEventListener(CHOSEN, onEvent)
  return () => window.removeEventListener(CHOSEN, onEvent)
}
