import { pathHere } from '@/app/session/path'
import { visitor } from '@/app/session/visitor'
import { beginSso } from '@/lib/auth/sso/sign-in'
import { answerStep, askFirst, isOpenedHere } from '../../answer'

type Props = { params: Promise<{ slug: string }> }

/** Sends the browser to the contractor's provider. A link leads here, because a form may not be sent on to another site. */
export async function GET(request: Request, { params }: Props): Promise<Response> {
  const { slug } = await params
  // Another site could begin it at a provider of its own, and leave the browser signed in as somebody else.
  if (!isOpenedHere(request)) return askFirst(slug)
  // Fetched before the click, it would be begun twice, and the browser keeps one of them.
  if (request.headers.has('sec-purpose'))
    return new Response(null, { status: 503, headers: { 'cache-control': 'no-store' } })
  const asked = new URL(request.url).searchParams
  const next = pathHere(asked.get('next') ?? undefined)
  return await answerStep(slug, async () => await beginSso(await visitor(), { slug, next, again: asked.has('again') }))
}
