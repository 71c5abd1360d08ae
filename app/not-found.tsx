import type { Metadata } from 'next'
import PortalLayout from './(portal)/layout'
import { Missing } from './missing'

export const metadata: Metadata = { title: 'Page not found' }

/** A path that no page has, in the frame of whoever asks. */
export default function NotFound() {
  return (
    <PortalLayout>
      <Missing />
    </PortalLayout>
  )
}
