import type { Metadata } from 'next'
import PortalLayout from './(portal)/layout'
import { Missing } from './missing'

export const metadata: Metadata = { title: 'Page not found' }

/** The page shown in the frame for a path without a page. */
export default function NotFound() {
  return (
    <PortalLayout>
      <Missing />
    </PortalLayout>
  )
}
