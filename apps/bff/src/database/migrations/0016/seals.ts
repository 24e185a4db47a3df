/** Seals, and what they are made over. */
export const seals = `
-- The fields' bytes, one after the other. No two lists have the same.
create function bff.row_bytes(p_fields text[]) returns bytea language sql stable return (
  select string_agg(bff.framed(f), ''::bytea order by n) from unnest(p_fields) with ordinality as t(f, n));

-- HMAC-SHA256 (RFC 2104) in hex. The key comes as its two pads, 64 bytes each: here that would take a loop.
create function bff.seal(p_pads bytea, p_domain text, p_fields text[]) returns text language sql stable return
  encode(sha256(substr(p_pads, 65) || sha256(
    substr(p_pads, 1, 64) || convert_to(p_domain, 'UTF8') || '\\x00'::bytea || bff.row_bytes(p_fields))), 'hex');

-- Text and a check, not the domain: that would make each row anew, which PostgreSQL 15 refuses for a type that functions take.
alter table bff.credentials add column seal text, add check (seal ~ '^[0-9a-f]{64}$');
alter table bff.consents add column seal text, add check (seal ~ '^[0-9a-f]{64}$');
create index audit_of_subject on bff.audit (subject, id);

-- All of a credential but when it was made and when it was revoked: the audit tells that.
create function bff.credential_fields(k bff.credentials) returns text[] language sql stable return
  array[(k).id::text, encode((k).mac, 'hex'), (k).class, (k).realm, (k).principal::text, (k).actor::text,
    (k).tenant::text, bff.instant((k).expires_at)] || (k).scopes;

-- All of a consent but the binding, whose digest is there.
create function bff.consent_fields(c bff.consents) returns text[] language sql stable return
  array[(c).id::text, (c).tenant::text, (c).actor::text, (c).principal::text, (c).credential::text, (c).item,
    (c).request_key::text, (c).digest, (c).state, bff.instant((c).created_at), bff.instant((c).expires_at),
    bff.instant((c).decided_at), (c).decided_by::text, (c).decision_reason, (c).approval_mac::text,
    bff.instant((c).closed_at), (c).close_code, (c).outcome::text];

create function bff.consent_seal(p_pads bytea, c bff.consents) returns text language sql stable return
  bff.seal(p_pads, 'eve/consent-row/1', bff.consent_fields(c));

-- The row says that a consent is open, and the audit that it ended, or that it was decided already. Seals of earlier
-- states stay good, so that without this an old row could be put back.
create function bff.is_reopened(c bff.consents) returns boolean language sql stable return
  (c).state in ('pending', 'approved') and exists (
    select from bff.audit a where a.subject = (c).id::text and (
      a.action in ('consent.consumed', 'consent.declined', 'consent.expired', 'consent.voided')
      or (a.action = 'consent.approved' and (c).state = 'pending')));

revoke all on function bff.row_bytes(text[]), bff.seal(bytea, text, text[]),
  bff.credential_fields(bff.credentials), bff.consent_fields(bff.consents),
  bff.consent_seal(bytea, bff.consents), bff.is_reopened(bff.consents) from public;
grant execute on function bff.consent_fields(bff.consents), bff.is_reopened(bff.consents), bff.instant(timestamptz)
  to eve_service;
`;
