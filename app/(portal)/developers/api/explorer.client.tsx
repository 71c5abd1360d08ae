'use client'

import dynamic from 'next/dynamic'
import { useEffect, useState } from 'react'
import { PageSkeleton } from '@/app/ui/skeleton'
import { sampleGenerators } from '@/lib/portal/request-samples'
import { ExplorerKey, type Issuer } from './key.client'
import 'swagger-ui-react/swagger-ui.css'
import './explorer.css'

const SwaggerUI = dynamic(() => import('swagger-ui-react'), { ssr: false, loading: () => <PageSkeleton rows={10} /> })

/** What is used of Swagger UI's own workings; its types call it `any`. */
type System = { preauthorizeApiKey(scheme: string, key: string): void }

/** Swagger UI has a dark look of its own, chosen by a class of the document; it follows the theme of the page. */
function useSwaggerTheme(): void {
  useEffect(() => {
    const root = document.documentElement
    const device = matchMedia('(prefers-color-scheme: dark)')
    const follow = () =>
      root.classList.toggle('dark-mode', (root.dataset.theme ?? (device.matches ? 'dark' : 'light')) === 'dark')
    follow()
    device.addEventListener('change', follow)
    const chosen = new MutationObserver(follow)
    chosen.observe(root, { attributeFilter: ['data-theme'] })
    return () => {
      device.removeEventListener('change', follow)
      chosen.disconnect()
      root.classList.remove('dark-mode')
    }
  }, [])
}

/** Requests go to the host of this page whatever it is called: the policy of the page allows no other. */
function toThisHost({ url = '/', ...rest }: { url?: string }) {
  const { pathname, search } = new URL(url, location.href)
  return { ...rest, url: location.origin + pathname + search }
}

/**
 * Swagger UI over the 3.0 edition: under Turbopack its 3.1 support logs errors.
 * @param issuer issues a key to the person signed in; left out for visitors, who paste one
 */
export function Explorer({ issuer }: { issuer?: Issuer }) {
  const [system, setSystem] = useState<System>()
  useSwaggerTheme()
  return (
    <>
      <ExplorerKey
        {...(issuer && { issuer })}
        isReady={system !== undefined}
        onKey={(key) => system?.preauthorizeApiKey('apiKey', key)}
      />
      <div className="explorer">
        <SwaggerUI
          url="/api/v1/openapi?version=3.0"
          docExpansion="list"
          defaultModelsExpandDepth={0}
          persistAuthorization={false}
          tryItOutEnabled
          requestInterceptor={toThisHost}
          showMutatedRequest={false}
          requestSnippetsEnabled
          plugins={[{ fn: sampleGenerators.fn }]}
          {...sampleGenerators.settings}
          onComplete={setSystem}
        />
      </div>
    </>
  )
}
