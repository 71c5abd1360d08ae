'use client'

import { useState } from 'react'
import type { Call } from '@/lib/portal/calls'
import type { JsonObject } from '@/lib/portal/json'
import type { SignInPlaces } from '@/lib/portal/own-sign-in'
import { type Issuer, useTabKey } from '../../developers/key-picker.client'
import { Connect } from './connect.client'
import { Connected } from './connected.client'
import { Fault } from './fault.client'
import { History } from './history.client'
import { Result } from './result.client'
import { useSignIn } from './sign-in.client'
import { useConsole } from './state.client'
import { ToolForm } from './tool-form.client'
import { Tool, ToolList } from './tools.client'

/** The chosen tool, and the call whose arguments fill its form. */
type Chosen = { tool: string; from: Call | undefined }

type Props = {
  /** Example arguments by tool name. */
  examples: Record<string, JsonObject>
  issuer: Issuer | undefined
  /** The page that creates test keys, when this host cannot. */
  elsewhere: string | undefined
  /** The pages where people sign in to connect as themselves; undefined where they cannot. */
  signIn: SignInPlaces | undefined
}

/** The console: connect, choose a tool, fill in its form, call it, and read the result. */
export function Console({ examples, issuer, elsewhere, signIn }: Props) {
  const { open, fault, busy, calls, shown, said, start, stop, run, setShown, clear } = useConsole()
  const { key, choose: chooseKey } = useTabKey()
  const [chosen, setChosen] = useState<Chosen>()
  const signInFault = useSignIn(signIn, start)
  const tools = open?.connection.tools ?? []
  const tool = tools.find(({ name }) => name === chosen?.tool)

  function choose(name: string): void {
    setChosen({ tool: name, from: undefined })
    setShown(undefined)
  }

  /** Shows a call of the history with the arguments it had. */
  function show(call: Call): void {
    setChosen({ tool: call.tool, from: call })
    setShown(call)
  }

  function repeat(call: Call): void {
    setChosen({ tool: call.tool, from: call })
    void run(call.tool, call.args)
  }

  return (
    <>
      <p className="sr-only" role="status">
        {said}
      </p>
      {open ? (
        <Connected
          connection={open.connection}
          secret={open.key}
          isBusy={busy === 'connecting'}
          onAgain={() => start(open.connection.mode, open.key, open.access)}
          onDisconnect={stop}
        />
      ) : (
        <Connect
          issuer={issuer}
          elsewhere={elsewhere}
          signIn={signIn}
          signInFault={signInFault}
          secret={key}
          isBusy={busy === 'connecting'}
          onKey={chooseKey}
          onConnect={start}
        />
      )}
      {fault && <Fault explanation={fault} />}
      {open && (
        <section aria-labelledby="tools-title">
          <h2 id="tools-title" className="mb-3">
            Tools
          </h2>
          {tools.length === 0 && (
            <p className="text-quiet">
              This key cannot use any tools. Ask an administrator for a key with more scopes.
            </p>
          )}
          <div className="grid gap-6 *:min-w-0 md:grid-cols-[16rem_minmax(0,1fr)] md:gap-x-8">
            <ToolList tools={tools} chosen={tool?.name} onChoose={choose} />
            {tool ? (
              <Tool tool={tool} key={tool.name}>
                <ToolForm
                  key={chosen?.from?.id ?? 'new'}
                  schema={tool.inputSchema}
                  given={chosen?.from?.args}
                  example={examples[tool.name]}
                  isWrite={!tool.hints.readOnly}
                  busy={busy === 'calling'}
                  onCall={(args) => run(tool.name, args)}
                />
                {shown?.tool === tool.name && <Result key={shown.id} call={shown} secret={open.key} />}
              </Tool>
            ) : (
              tools.length > 0 && (
                <p className="self-start text-quiet">Choose a tool to see its arguments and results.</p>
              )
            )}
          </div>
        </section>
      )}
      {calls.length > 0 && (
        <History calls={calls} canRepeat={Boolean(open) && !busy} onShow={show} onRepeat={repeat} onClear={clear} />
      )}
    </>
  )
}
