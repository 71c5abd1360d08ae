-- A permit as a document. A city's clerks and applicants wrote it.
create or replace function permit_document(p permits) returns jsonb language sql stable as $$
  select jsonb_build_object('id', 'doc_' || substr(p.id, 5), 'owner', 'public', 'reference', p.id,
    'title', left(concat_ws(' ', 'Permit', p.permit_num, coalesce(p.permit_type, p.permit_type_mapped)), 500), 'link', p.link,
    'untrusted', true,
    'text', concat_ws(e'\n', p.description, p.permit_type_desc, p.work_class, p.contractor_company_name,
      nullif(concat_ws(', ', p.original_address1, p.original_city, p.original_state, p.original_zip), '')))
$$;
