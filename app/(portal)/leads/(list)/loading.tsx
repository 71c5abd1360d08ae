import { PageSkeleton } from '@/app/ui/skeleton'

export default function Loading() {
  return <PageSkeleton rows={8} />
}
