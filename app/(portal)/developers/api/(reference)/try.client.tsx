'use client'

import { type FormEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '@/app/ui/button'
import { CodeBlock } from '@/app/ui/code-block'
import { CopyButton } from '@/app/ui/copy.client'
import { Field } from '@/app/ui/field'
import { FormField } from '@/app/ui/form-field.client'
import type { Language } from '@/app/ui/highlight'
import { Textarea } from '@/app/ui/input'
import { LanguageTabs } from '@/app/ui/language-tabs.client'
import { type ApiResponse, type Callable, linkOf, placeOn, sampleOf, send } from '@/lib/portal/api-call'
import { formOf } from '@/lib/portal/form-model'
import { readForm } from '@/lib/portal/form-values'
import { type JsonObject, parseJson } from '@/lib/portal/json'
import { LANGUAGES, type SampleLanguage } from '@/lib/portal/language'
import { SAMPLES } from '@/lib/portal/request-samples'
import { type Issuer, KeyPicker, useTabKey } from '../../key-picker.client'
import { LiveAnswer } from './live-answer.client'

type SamplesProps = {
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
function Samples({ call, values, body, language }: SamplesProps) {
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

type Props = {
  call: Callable
  parameters: JsonObject
  /** The path of the operation's page. */
  page: string
  given: Record<string, string>
  bodyStart: string
  /** The host on which requests go through the portal's relay to the API. */
  relayHost: string | undefined
  language: SampleLanguage | undefined
  issuer: Issuer | undefined
  /** The path of the request log; undefined for people who may not see it. */
  logs: string | undefined
  about: ReactNode
  bodyFields: ReactNode
  answers: ReactNode
}

const NO_KEY = 'This request needs a key. Create a test key, or paste one.'
const NO_ANSWER =
  'There was no response: the server cannot be reached from here. Check your connection and send it again. A lead with an externalId is never stored twice.'

/** Tries out an operation: its form, the request in every language, and the response. */
export function TryOperation(props: Props) {
  const { call, parameters, page, given, bodyStart, relayHost, issuer, logs } = props
  const form = useMemo(() => formOf(parameters), [parameters])
  const [values, setValues] = useState<Record<string, string>>(given)
  const [body, setBody] = useState(bodyStart)
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [keyFault, setKeyFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [came, setCame] = useState<ApiResponse | { fault: string }>()
  const { key, choose } = useTabKey()
  const element = useRef<HTMLFormElement>(null)
  const keyPlace = useRef<HTMLElement>(null)
  const [link, setLink] = useState('')

  // The URL always has the values shown, so that it can be shared; it never contains the key.
  useEffect(() => {
    setLink(location.origin + linkOf(page, values))
    if (values !== given) history.replaceState(null, '', linkOf(location.pathname, values))
  }, [page, values, given])

  function faultsNow(): Record<string, string> {
    const read = readForm(form, values)
    const isBodyWrong = call.bodyType === 'application/json' && parseJson(body) === undefined
    return {
      ...(read.ok ? {} : read.faults),
      ...(isBodyWrong && { body: 'This is not valid JSON. Check quotes, commas and brackets.' }),
    }
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isBusy) return
    const wrong = faultsNow()
    setFaults(wrong)
    setKeyFault(undefined)
    const [first] = [...form.fields.map(({ name }) => name), 'body'].filter((name) => name in wrong)
    if (first) return element.current?.querySelector<HTMLElement>(`#${CSS.escape(`argument-${first}`)}`)?.focus()
    if (call.needsKey && !key) {
      keyPlace.current?.scrollIntoView({ block: 'nearest' })
      return setKeyFault(NO_KEY)
    }
    setBusy(true)
    setCame(
      await send(call, placeOn(location.hostname, relayHost), values, body, key).catch(() => ({ fault: NO_ANSWER })),
    )
    setBusy(false)
  }

  const sendButton = (
    <Button type="submit" form="try" look={call.needsKey && !key ? 'plain' : 'main'} aria-disabled={isBusy}>
      {isBusy ? 'Sending…' : 'Send request'}
    </Button>
  )
  return (
    <div>
      <div className="grid content-start gap-8 *:min-w-0 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)] lg:grid-rows-[auto_1fr]">
        <div className="grid content-start gap-6 *:min-w-0">
          {props.about}
          <form id="try" ref={element} onSubmit={submit} noValidate aria-label="Request" className="grid gap-4">
            <h3>Parameters</h3>
            {form.fields.length === 0 && !call.bodyType && (
              <p className="text-quiet">This operation has no parameters.</p>
            )}
            {form.fields.map((field) => (
              <FormField
                key={field.name}
                field={field}
                value={values[field.name] ?? ''}
                fault={faults[field.name]}
                onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
              />
            ))}
            {call.bodyType && (
              <Field id="argument-body" label="Body" hint={call.bodyType} error={faults.body}>
                {(tied) => (
                  <Textarea
                    {...tied}
                    rows={9}
                    value={body}
                    onChange={({ target }) => setBody(target.value)}
                    spellCheck={false}
                    className="font-mono text-sm/relaxed"
                  />
                )}
              </Field>
            )}
          </form>
        </div>
        <div className="grid content-start gap-5 *:min-w-0 lg:col-start-2 lg:row-span-2 lg:row-start-1">
          <section
            ref={keyPlace}
            aria-labelledby="send-title"
            className="scroll-my-16 grid gap-4 rounded-lg border border-line bg-raised p-4"
          >
            <h3 id="send-title">Try it</h3>
            {call.needsKey && (
              <KeyPicker
                issuer={issuer}
                chosen={key}
                fault={keyFault}
                onChoose={(next) => {
                  choose(next)
                  setKeyFault(undefined)
                }}
              />
            )}
            <div className="flex flex-wrap items-center gap-2">
              <span className="max-lg:hidden">{sendButton}</span>
              <CopyButton text={link} label="Copy link" of="this request" />
            </div>
          </section>
          <LiveAnswer came={came} logs={logs} />
          <Samples call={call} values={values} body={body} language={props.language} />
        </div>
        <div className="grid content-start gap-6 *:min-w-0">
          {props.bodyFields && (
            <section aria-labelledby="body-title" className="grid gap-2">
              <h3 id="body-title">Body fields</h3>
              {props.bodyFields}
            </section>
          )}
          {props.answers}
        </div>
      </div>
      {/* In a narrow window the button stays at the foot, whichever part of the page is read. */}
      <div className="sticky bottom-0 z-10 mt-4 border-t border-line bg-ground py-2 lg:hidden print:hidden">
        {sendButton}
      </div>
    </div>
  )
}
