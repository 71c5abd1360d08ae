import type { Metadata } from 'next'
import { connection } from 'next/server'
import { actorFor, currentSession } from '../session/actor'
import { Home } from './home/home'
import { Landing } from './landing/landing'
import { NoContractor } from './no-contractor'

export const metadata: Metadata = { alternates: { canonical: '/' } }

/** The start page: an overview of the contractor for signed-in users, a description of the service for visitors. */
export default async function FirstPage() {
  await connection()
  const session = await currentSession()
  if (!session) return <Landing />
  if (!session.current) return <NoContractor person={session.person} />
  return <Home actor={await actorFor(session, session.current)} contractor={session.current.name} />
}
