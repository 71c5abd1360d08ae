import { pathHere } from '@/app/session/path'
import { visitor } from '@/app/session/visitor'
import { finishSso } from '@/lib/auth/sso/sign-in'
import { answerStep } from '../../answer'

type Props = { params: Promise<{ slug: string }> }

/** Receives people whom a contractor's provider sends back. */
export async function GET(request: Request, { params }: Props): Promise<Response> {
  const { slug } = await params
  const query = new URL(request.url).search.slice(1)
  return await answerStep(slug, async () => {
    const { next, setCookies } = await finishSso(await visitor(), { slug, query })
    return { url: pathHere(next), setCookies }
  })
}
