'use client'

import { CodeBlock } from '@/app/ui/code-block'
import type { Language } from '@/app/ui/highlight'
import { LanguageTabs } from '@/app/ui/language-tabs.client'
import { type Callable, sampleOf } from '@/lib/portal/api-call'
import { LANGUAGES, type SampleLanguage } from '@/lib/portal/language'
import { SAMPLES } from '@/lib/portal/request-samples'

type Props = {
  call: Callable
  values: Record<string, string>
  body: string
  language: SampleLanguage | undefined
}

const GRAMMARS: Record<SampleLanguage, Language> = {
  curl: 'shell',
  typescript: 'typescript',
  python: 'python',
  go: 'go',
  php: 'php',
  ruby: 'ruby',
  csharp: 'csharp',
}

/** Shows the form's request in every language; each sample runs unchanged, with the key in the environment. */
export function Samples({ call, values, body, language }: Props) {
  const request = sampleOf(call, values, body)
  const tabs = LANGUAGES.map((id) => ({
    id,
    name: SAMPLES[id].name,
    content: (
      <CodeBlock label={`Request in ${SAMPLES[id].name}`} language={GRAMMARS[id]} code={SAMPLES[id].make(request)} />
    ),
  }))
  return (
    <section aria-labelledby="samples-title">
      <h3 id="samples-title" className="mb-1">
        From your code
      </h3>
      <LanguageTabs label="Languages" tabs={tabs} chosen={language} />
    </section>
  )
}
