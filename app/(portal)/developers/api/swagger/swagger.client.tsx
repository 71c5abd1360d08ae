'use client'

import dynamic from 'next/dynamic'
import { type ComponentType, useEffect, useRef, useState } from 'react'
import { PageSkeleton } from '@/app/ui/skeleton'
import { pathAt, placeOn } from '@/lib/portal/api-call'
import { sampleGenerators } from '@/lib/portal/request-samples'
import { type Issuer, KeyPicker, useTabKey } from '../../key-picker.client'
import './swagger.css'

const SwaggerUI = dynamic(() => import('swagger-ui-react'), { ssr: false, loading: () => <PageSkeleton rows={10} /> })

/** The part of Swagger UI's system that is used; its types say `any`. */
type System = { preauthorizeApiKey(scheme: string, key: string): void }

/** The props that Swagger UI passes to its layout. */
type Parts = {
  getComponent(name: string, isContainer: boolean): ComponentType
  specSelectors: { loadingStatus(): string }
}

/** Shows only Swagger UI's operations. The key, the servers and the document's header are on our own page. */
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

/** Makes code boxes focusable as they appear, because they scroll (WCAG 2.1.1), and names menus after their parameter (4.1.2). */
function useReachableParts() {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const reach = () => {
      for (const box of place.current?.querySelectorAll<HTMLElement>('pre:not([tabindex])') ?? []) box.tabIndex = 0
      for (const menu of place.current?.querySelectorAll('[data-param-name] select:not([aria-label])') ?? [])
        menu.setAttribute('aria-label', menu.closest('[data-param-name]')?.getAttribute('data-param-name') ?? '')
    }
    const appeared = new MutationObserver(reach)
    if (place.current) appeared.observe(place.current, { childList: true, subtree: true })
    return () => appeared.disconnect()
  }, [])
  return place
}

/** Sends requests to the host of this page, because the page's policy allows no other. */
const toThisHost =
  (relayHost: string | undefined) =>
  ({ url = '/', ...rest }: { url?: string }) => {
    const { pathname, search } = new URL(url, location.href)
    // On the data API's own host, paths have no prefix.
    const path = /^\/(api|health)(\/|$)/.test(pathname) ? pathname : `/api/v1${pathname}`
    const place = placeOn(location.hostname, relayHost)
    return { ...rest, url: location.origin + pathAt(place, path) + search }
  }

/**
 * Shows Swagger UI with the OpenAPI 3.0 document, because its 3.1 support logs errors under Turbopack.
 * @param issuer issues a key to the signed-in person; left out for visitors, who paste one
 * @param relayHost the host on which requests go through the portal's relay to the API
 */
export function Swagger({ issuer, relayHost }: { issuer: Issuer | undefined; relayHost: string | undefined }) {
  const [system, setSystem] = useState<System>()
  const { key, choose } = useTabKey()
  const box = useReachableParts()
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
