import { notFound } from 'next/navigation'
import { isResourceName } from '@/lib/core/resource-names'
import { exportRoute } from '../../records/export'

/** GET /<resource>/export: the records that the list finds with the same parameters, as a CSV file. */
export async function GET(request: Request, { params }: { params: Promise<{ resource: string }> }): Promise<Response> {
  const { resource } = await params
  if (!isResourceName(resource)) notFound()
  return exportRoute(resource)(request)
}
