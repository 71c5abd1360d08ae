'use client'

import { useEffect, useRef, useState } from 'react'
import { type Call, callTool, remember, spoken } from '@/lib/portal/calls'
import { ConnectionFault, connect } from '@/lib/portal/connect'
import type { Connection, ProtocolMode } from '@/lib/portal/connection'
import type { Recorder } from '@/lib/portal/exchange'
import { type Explanation, explain } from '@/lib/portal/explain'
import type { JsonObject } from '@/lib/portal/json'
import type { Access } from '@/lib/portal/own-sign-in'

type Open = { connection: Connection; recorder: Recorder; key: string; access?: Access | undefined }

/** The MCP endpoint on the host that serves this page. */
const endpoint = () => new URL('/mcp', location.origin).href

/** The console's state: the connection, the calls of this tab, and what is in progress. */
export function useConsole() {
  const [open, setOpen] = useState<Open>()
  const [fault, setFault] = useState<Explanation>()
  const [busy, setBusy] = useState<'connecting' | 'calling'>()
  const [calls, setCalls] = useState<Call[]>([])
  const [shown, setShown] = useState<Call>()
  const [said, setSaid] = useState('')
  const nextId = useRef(1)

  // Ends the session when the page closes, if the browser still sends the request.
  useEffect(() => {
    const end = () => {
      void open?.connection.close().catch(() => undefined)
      open?.access?.end()
      setOpen(undefined)
    }
    window.addEventListener('pagehide', end)
    return () => window.removeEventListener('pagehide', end)
  }, [open])

  async function start(mode: ProtocolMode, key: string, access?: Access): Promise<void> {
    setBusy('connecting')
    setFault(undefined)
    setSaid('Connecting.')
    try {
      await open?.connection.close().catch(() => undefined)
      const made = await connect(mode, endpoint(), key, access?.token)
      setOpen({ ...made, key, access })
      setSaid(`Connected. ${made.connection.tools.length} tools.`)
    } catch (error) {
      setOpen(undefined)
      setFault(explain(error instanceof ConnectionFault ? error.exchange : undefined, error, mode))
      setSaid('')
    }
    setBusy(undefined)
  }

  function stop(): void {
    void open?.connection
      .close()
      .catch(() => undefined)
      .then(() => open.access?.end())
    setOpen(undefined)
    setFault(undefined)
    setShown(undefined)
    setSaid('Disconnected.')
  }

  async function run(tool: string, args: JsonObject): Promise<void> {
    if (!open || busy) return
    setBusy('calling')
    setSaid(`Calling ${tool}.`)
    const call = await callTool(open, nextId.current++, tool, args)
    setCalls((before) => remember(before, call))
    setShown(call)
    setSaid(spoken(call))
    setBusy(undefined)
  }

  return { open, fault, busy, calls, shown, said, start, stop, run, setShown, clear: () => setCalls([]), say: setSaid }
}
