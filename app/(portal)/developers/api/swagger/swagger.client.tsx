'use client'

import dynamic from 'next/dynamic'
import { type ComponentType, useEffect, useRef, useState } from 'react'
import { PageSkeleton } from '@/app/ui/skeleton'
import { pathAt, placeOn } from '@/lib/portal/api-call'
import { sampleGenerators } from '@/lib/portal/swagger-samples'
import { type Issuer, KeyPicker, useTabKey } from '../../key-picker.client'
import './swagger.css'

const SwaggerUI = dynamic(() => import('swagger-ui-react'), { ssr: false, loading: () => <PageSkeleton rows={10} /> })

/** What is used of Swagger UI's own workings; its types call it `any`. */
type System = { preauthorizeApiKey(scheme: string, key: string): void }

/** What Swagger UI hands its layout. */
type Parts = {
  getComponent(name: string, isContainer: boolean): ComponentType
  specSelectors: { loadingStatus(): string }
}

/** The part of Swagger UI that is shown: its operations. The key, the servers and the document's head stand on our own page. */
function OnlyOperations({ getComponent, specSelectors }: Parts) {
  const Errors = getComponent('errors', true)
  const Operations = getComponent('operations', true)
  return (
    <div className="swagger-ui">
      <h2 className="sr-only">Operations</h2>
      <Errors />
      {specSelectors.loadingStatus() === 'success' ? <Operations /> : <PageSkeleton rows={10} />}
    </div>
  )
}

const layout = { components: { OnlyOperations } }

/** Makes boxes of code reachable by keyboard as they appear: they scroll (WCAG 2.1.1). */
function useReachableCode() {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const reach = () => {
      for (const box of place.current?.querySelectorAll<HTMLElement>('pre:not([tabindex])') ?? []) box.tabIndex = 0
    }
    const appeared = new MutationObserver(reach)
    if (place.current) appeared.observe(place.current, { childList: true, subtree: true })
    return () => appeared.disconnect()
  }, [])
  return place
}

/** Requests go to the host of this page whatever it is called: the policy of the page allows no other. */
const toThisHost =
  (relayHost: string | undefined) =>
  ({ url = '/', ...rest }: { url?: string }) => {
    const { pathname, search } = new URL(url, location.href)
    // The data API's own host has its paths at the root.
    const path = /^\/(api|health)(\/|$)/.test(pathname) ? pathname : `/api/v1${pathname}`
    const place = placeOn(location.hostname, relayHost)
    return { ...rest, url: location.origin + pathAt(place, path) + search }
  }

/**
 * Swagger UI over the 3.0 edition: under Turbopack its 3.1 support logs errors.
 * @param issuer issues a key to the person signed in; left out for visitors, who paste one
 * @param relayHost the host on which requests go by the portal's own way to the API
 */
export function Swagger({ issuer, relayHost }: { issuer: Issuer | undefined; relayHost: string | undefined }) {
  const [system, setSystem] = useState<System>()
  const { key, choose } = useTabKey()
  const box = useReachableCode()
  useEffect(() => {
    if (key) system?.preauthorizeApiKey('apiKey', key)
  }, [system, key])
  return (
    <>
      <div className="mb-6 rounded-lg border border-line bg-raised p-4">
        <KeyPicker issuer={issuer} chosen={key} onChoose={choose} />
      </div>
      <div ref={box} className="explorer">
        <SwaggerUI
          url="/api/v1/openapi?version=3.0"
          docExpansion="list"
          defaultModelsExpandDepth={0}
          persistAuthorization={false}
          tryItOutEnabled
          requestInterceptor={toThisHost(relayHost)}
          showMutatedRequest={false}
          requestSnippetsEnabled
          layout="OnlyOperations"
          plugins={[{ fn: sampleGenerators.fn }, layout]}
          {...sampleGenerators.settings}
          onComplete={setSystem}
        />
      </div>
    </>
  )
}
