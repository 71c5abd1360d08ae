-- A project as a document. What came in as a lead has a job number, and was written by a stranger.
create or replace function project_document(p projects) returns jsonb language sql immutable as $$
  select jsonb_build_object('id', 'doc_' || substr(p.id, 5), 'owner', p.contractor_id, 'reference', p.id,
    'title', left(p.name, 500), 'link', '/api/v1/projects/' || p.id, 'untrusted', p.job_number is not null,
    'text', concat_ws(e'\n', p.description, nullif(concat_ws(', ', p.address, p.city, p.state, p.zip), '')))
$$;
