import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useAsk } from '../api/use-ask.ts';
import { ReportExplorer } from './report-explorer.tsx';
import { DEMAND, SUPPLY } from './sides.ts';

/** The report of a demand partner. */
export function DemandReportPage() {
  const { demandPartnerId } = useParams({ strict: false });
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  return (
    <ReportExplorer
      side={DEMAND}
      id={Number(demandPartnerId)}
      search={search}
      onSearch={(next) => void navigate({ to: '.', search: next, resetScroll: false })}
    />
  );
}

/** The report of a publisher. */
export function SupplyReportPage() {
  const { publisherId } = useParams({ strict: false });
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const adSpaces = useAsk(`/api/publishers/${publisherId}/ad-spaces/`, {
    limit: 100,
  });
  const names = new Map(adSpaces.data?.body.map(({ id, name }) => [String(id), `${name} (${id})`]));
  return (
    <ReportExplorer
      side={SUPPLY}
      id={Number(publisherId)}
      search={search}
      onSearch={(next) => void navigate({ to: '.', search: next, resetScroll: false })}
      nameOf={(dimension, value) => (dimension === 'zone_id' ? (names.get(value) ?? null) : null)}
    />
  );
}
