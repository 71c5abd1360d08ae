import { database } from '@/db/client'
import { type ProjectMaterials, projectMaterials } from '@/db/queries/materials'
import { ServiceError } from '@/lib/core/errors'
import { resources } from '@/lib/resources/registry'
import { notThere } from '../absent'
import type { Context } from '../define'

/** The most lines of a project's list that one answer prices. */
const MOST_STORED = 500

/**
 * Returns a project with its loaded material list.
 * @throws ServiceError `not_found` when the contractor has no such project, `bad_request` when the list is too long to price at
 * once
 */
export async function storedList({ actor }: Context, projectId: string): Promise<ProjectMaterials> {
  const query = { contractorId: actor.contractorId, projectId, limit: MOST_STORED + 1 }
  const found = await projectMaterials(await database(), query)
  if (!found) throw notThere(resources.projects, projectId, 'list_projects')
  if (found.lines.length > MOST_STORED)
    throw new ServiceError(
      'bad_request',
      `The project’s list has more than ${MOST_STORED} lines. Give parts of it as lines instead.`,
    )
  return found
}
