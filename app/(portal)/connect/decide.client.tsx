'use client'

import { useRef, useState } from 'react'
import { ActionForm } from '@/app/ui/action-form.client'
import { Check, Choices, Radios } from '@/app/ui/input'
import { allowAction, refuseAction } from './actions'

type Props = {
  query: string
  destination: string
  scopes: { id: string; text: string; writes: boolean }[]
  contractors: { contractorId: string; name: string; role: string }[]
  chosen: string
}

/** The way back to the program. A page without script goes by itself. */
function Back({ url, destination }: { url: string; destination: string }) {
  return (
    <div role="status">
      <noscript>
        <meta httpEquiv="refresh" content={`0;url=${url}`} />
      </noscript>
      <p>
        Back to {destination} … <a href={url}>Continue</a>
      </p>
    </div>
  )
}

/**
 * Sends the browser back to the program. Not by a redirect: a browser follows one of a form's only to where `form-action` allows, which is
 * this site. Once: a program that is given its code twice redeems it twice, which ends the connection.
 */
function useWayBack() {
  const [url, setUrl] = useState<string>()
  const hasLeft = useRef(false)
  const leave = (to: string | undefined) => {
    if (to === undefined || hasLeft.current) return
    hasLeft.current = true
    setUrl(to)
    location.replace(to)
  }
  return { url, leave }
}

type Scopes = Props['scopes']

function Ticks({ legend, scopes, isTicked }: { legend: string; scopes: Scopes; isTicked: (id: string) => boolean }) {
  if (scopes.length === 0) return null
  return (
    <Choices legend={legend}>
      {scopes.map(({ id, text }) => (
        <Check key={id} name="scopes[]" value={id} label={text} defaultChecked={isTicked(id)} />
      ))}
    </Choices>
  )
}

/** The decision: which contractor, what the program may do, and yes or no. What reads is ticked; what writes is ticked one by one. */
export function Decide({ query, destination, scopes, contractors, chosen }: Props) {
  const { url, leave } = useWayBack()
  const back = (to: string | undefined) => to !== undefined && <Back url={to} destination={destination} />
  if (url !== undefined) return back(url)
  return (
    <div className="grid gap-3">
      <ActionForm
        action={allowAction}
        submit="Allow"
        values={{ query }}
        onDone={(data) => leave(data?.url)}
        instead={(data) => back(data?.url)}
      >
        {(fault, entered) => (
          <>
            <Radios
              legend="For which contractor?"
              name="contractorId"
              options={contractors.map(({ contractorId, name: contractor, role }) => ({
                value: contractorId,
                label: contractor,
                hint: `Your role is ${role}.`,
              }))}
              isChosen={(value) => entered.has('contractorId', value, value === chosen)}
            />
            <Ticks
              legend="It may"
              scopes={scopes.filter(({ writes }) => !writes)}
              isTicked={(id) => entered.has('scopes[]', id, true)}
            />
            <Ticks
              legend="It may also write, where you tick it. Only administrators can allow this."
              scopes={scopes.filter(({ writes }) => writes)}
              isTicked={(id) => entered.has('scopes[]', id)}
            />
            {fault('scopes[]') && (
              <p role="alert" className="text-sm text-danger">
                {fault('scopes[]')}
              </p>
            )}
            <p className="text-sm text-quiet">
              It sees no more than your role does, also when your role changes. You can end the connection at any time
              under Assistants.
            </p>
          </>
        )}
      </ActionForm>
      <ActionForm
        action={refuseAction}
        submit="Cancel"
        look="plain"
        values={{ query }}
        onDone={(data) => leave(data?.url)}
        instead={(data) => back(data?.url)}
      />
    </div>
  )
}
