import { STEPS } from '@/lib/auth/oauth/places'
import { type Answerer, type Endpoint, RESOURCE_METADATA_PATHS, SERVER_METADATA_PATH } from '../endpoint'

/** The library and ours around it are loaded with the first request for them. */
const steps = () => import('./steps')
const documents = () => import('./documents')

const loaded =
  (load: () => Promise<Answerer>): Answerer =>
  async (request) =>
    (await load())(request)

/** The authorization server's endpoints, and the metadata of what it issues tokens for. Nothing else of the library is served. */
export const oauthEndpoints: Endpoint[] = [
  ...STEPS.map((step) => ({
    path: `/oauth2/${step}`,
    answer: loaded(async () => (await steps()).oauthSteps[step]),
    takesBody: ['token', 'register', 'revoke'].includes(step),
  })),
  {
    path: SERVER_METADATA_PATH,
    answer: loaded(async () => (await documents()).serverMetadata),
    takesBody: false,
  },
  ...(['mcp', 'api'] as const).map((face) => ({
    path: RESOURCE_METADATA_PATHS[face],
    answer: loaded(async () => (await documents()).resourceMetadataOf[face]),
    takesBody: false,
  })),
]
