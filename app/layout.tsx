import type { Metadata, Viewport } from 'next'
import { cookies } from 'next/headers'
import type { ReactNode } from 'react'
import { baseUrls, env } from '@/lib/core/env'
import { RESOURCES_IN_WORDS } from '@/lib/core/resource-names'
import { SERVICE } from '@/lib/core/service'
import { THEME_COOKIE, themeOf } from '@/lib/portal/theme'
import { TYPEFACE } from './ui/typeface'
import './globals.css'

const ABOUT = `A contractor’s ${RESOURCES_IN_WORDS} over a REST API with delta sync, a lead webhook and an MCP server for agents.`

/** Creates the metadata per request, because the public address is a setting. */
export function generateMetadata(): Metadata {
  const title = { default: `${SERVICE.name}: ${SERVICE.description.toLowerCase()}`, template: `%s · ${SERVICE.name}` }
  return {
    metadataBase: new URL(baseUrls(env()).portal),
    title,
    description: ABOUT,
    applicationName: SERVICE.name,
    manifest: '/site.webmanifest',
    icons: {
      icon: [
        { url: '/icon.svg', type: 'image/svg+xml' },
        { url: '/favicon.ico', sizes: '32x32' },
      ],
      apple: '/apple-touch-icon.png',
    },
    openGraph: { type: 'website', siteName: SERVICE.name, title, description: ABOUT },
  }
}

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#fbfaf8' },
    { media: '(prefers-color-scheme: dark)', color: '#14161a' },
  ],
}

/** The document, rendered per request with its theme and the nonce of its scripts. */
export default async function Layout({ children }: { children: ReactNode }) {
  const theme = themeOf((await cookies()).get(THEME_COOKIE)?.value)
  return (
    <html lang="en" className={TYPEFACE} {...(theme !== 'system' && { 'data-theme': theme })} suppressHydrationWarning>
      <body>{children}</body>
    </html>
  )
}
