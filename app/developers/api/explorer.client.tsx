'use client'

import dynamic from 'next/dynamic'
import 'swagger-ui-react/swagger-ui.css'

const SwaggerUI = dynamic(() => import('swagger-ui-react'), { ssr: false, loading: () => <p>Loading the explorer…</p> })

/** Swagger UI over the 3.0 edition: under Turbopack its 3.1 support logs errors. */
export function Explorer() {
  return (
    <SwaggerUI
      url="/api/v1/openapi?version=3.0"
      docExpansion="list"
      defaultModelsExpandDepth={0}
      persistAuthorization={false}
    />
  )
}
