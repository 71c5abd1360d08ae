'use client'

import { usePathname } from 'next/navigation'
import { guideOf } from '@/lib/portal/guide-of'

/** The footer of every page: the guide to the page if there is one, the service's status, and the API changelog. */
export function Foot({ portal }: { portal: string }) {
  const guide = guideOf(usePathname())
  return (
    <footer className="flex flex-wrap gap-x-6 gap-y-1 border-t border-line py-4 text-sm text-quiet">
      {guide && (
        <span>
          Guide: <a href={`${portal}/developers/guides/${guide.slug}`}>{guide.title}</a>
        </span>
      )}
      <a href={`${portal}/status`} className="ms-auto">
        Status
      </a>
      <a href={`${portal}/developers/guides/changelog`}>API changelog</a>
    </footer>
  )
}
