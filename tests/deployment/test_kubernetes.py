"""The manifests of Kubernetes: what they name is there, and allowed no more than it needs."""

# ruff: noqa: N815 (the names are those of Kubernetes)

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import pytest
import yaml
from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter
from typer.testing import CliRunner

from quaere.domain.request import RunRequest, RunSpec
from quaere.domain.trace import Owner
from quaere.faces.cli.main import application
from quaere.runtime.app import App
from quaere.runtime.settings import Settings
from quaere.store.jobs import Jobs

FOLDER = Path(__file__).parents[2] / "deploy" / "kubernetes"


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Metadata(Strict):
    name: str = ""
    labels: dict[str, str] = {}
    annotations: dict[str, str] = {}


class Get(Strict):
    path: str
    port: str


class Probe(Strict):
    httpGet: Get
    periodSeconds: int
    failureThreshold: int = 3
    timeoutSeconds: int = 1


class Port(Strict):
    name: str
    containerPort: int


class ContainerSecurity(Strict):
    allowPrivilegeEscalation: Literal[False]
    readOnlyRootFilesystem: Literal[True]
    capabilities: dict[Literal["drop"], list[Literal["ALL"]]]


class Mount(Strict):
    name: str
    mountPath: str
    subPath: str = ""
    readOnly: bool = False


class InitContainer(Strict):
    name: str
    image: Literal["quaere"]
    args: list[str]
    envFrom: list[dict[Literal["configMapRef"], dict[Literal["name"], Literal["quaere"]]]]
    securityContext: ContainerSecurity
    volumeMounts: list[Mount]


class Container(InitContainer):
    ports: list[Port]
    resources: dict[Literal["requests", "limits"], dict[Literal["cpu", "memory"], str | int]]
    startupProbe: Probe
    livenessProbe: Probe
    readinessProbe: Probe | None = None


class PodSecurity(Strict):
    runAsNonRoot: Literal[True]
    runAsUser: Literal[10001]
    runAsGroup: Literal[10001]
    fsGroup: Literal[10001]
    seccompProfile: dict[Literal["type"], Literal["RuntimeDefault"]]


class Volume(Strict):
    name: str
    emptyDir: dict[Literal["sizeLimit"], str] | None = None
    persistentVolumeClaim: dict[Literal["claimName"], str] | None = None
    secret: dict[Literal["secretName"], Literal["quaere"]] | None = None


class PodSpec(Strict):
    automountServiceAccountToken: Literal[False]
    terminationGracePeriodSeconds: int
    topologySpreadConstraints: list[dict[str, JsonValue]] = []
    securityContext: PodSecurity
    initContainers: list[InitContainer] = []
    containers: list[Container]
    volumes: list[Volume]


class Pod(Strict):
    metadata: Metadata
    spec: PodSpec


class Labels(Strict):
    matchLabels: dict[str, str] = {}


class DeploymentSpec(Strict):
    replicas: int | None = None
    selector: Labels
    template: Pod


class Deployment(Strict):
    apiVersion: Literal["apps/v1"]
    kind: Literal["Deployment"]
    metadata: Metadata
    spec: DeploymentSpec


class BudgetSpec(Strict):
    minAvailable: int | None = None
    maxUnavailable: int | None = None
    selector: Labels


class DisruptionBudget(Strict):
    apiVersion: Literal["policy/v1"]
    kind: Literal["PodDisruptionBudget"]
    metadata: Metadata
    spec: BudgetSpec


class ServicePort(Strict):
    name: str
    port: int
    targetPort: str


class ServiceSpec(Strict):
    selector: dict[str, str]
    ports: list[ServicePort]


class Service(Strict):
    apiVersion: Literal["v1"]
    kind: Literal["Service"]
    metadata: Metadata
    spec: ServiceSpec


class ClaimSpec(Strict):
    accessModes: list[Literal["ReadWriteMany"]]
    resources: dict[Literal["requests"], dict[Literal["storage"], str]]


class Claim(Strict):
    apiVersion: Literal["v1"]
    kind: Literal["PersistentVolumeClaim"]
    metadata: Metadata
    spec: ClaimSpec


class Namespace(Strict):
    apiVersion: Literal["v1"]
    kind: Literal["Namespace"]
    metadata: Metadata


class PolicyPort(Strict):
    protocol: Literal["TCP", "UDP"]
    port: int


class Block(Strict):
    cidr: str
    beside: list[str] = Field(alias="except")


class Peer(Strict):
    podSelector: Labels | None = None
    namespaceSelector: Labels | None = None
    ipBlock: Block | None = None


class Way(Strict):
    ends: list[Peer] = Field(validation_alias="from", default=[])
    to: list[Peer] = []
    ports: list[PolicyPort]


class PolicySpec(Strict):
    podSelector: Labels
    policyTypes: list[Literal["Ingress", "Egress"]]
    ingress: list[Way] = []
    egress: list[Way] = []


class NetworkPolicy(Strict):
    apiVersion: Literal["networking.k8s.io/v1"]
    kind: Literal["NetworkPolicy"]
    metadata: Metadata
    spec: PolicySpec


class Trigger(Strict):
    type: Literal["postgresql"]
    metadata: dict[str, str]
    authenticationRef: dict[Literal["name"], str]


class ScaledSpec(Strict):
    scaleTargetRef: dict[Literal["name"], str]
    minReplicaCount: int
    maxReplicaCount: int
    pollingInterval: int
    cooldownPeriod: int
    triggers: list[Trigger]


class ScaledObject(Strict):
    apiVersion: Literal["keda.sh/v1alpha1"]
    kind: Literal["ScaledObject"]
    metadata: Metadata
    spec: ScaledSpec


class TriggerAuthentication(Strict):
    apiVersion: Literal["keda.sh/v1alpha1"]
    kind: Literal["TriggerAuthentication"]
    metadata: Metadata
    spec: dict[Literal["secretTargetRef"], list[dict[str, str]]]


Manifest = (
    Deployment
    | DisruptionBudget
    | Service
    | Claim
    | Namespace
    | NetworkPolicy
    | ScaledObject
    | TriggerAuthentication
)
MANIFEST: TypeAdapter[Manifest] = TypeAdapter(Annotated[Manifest, Field(discriminator="kind")])


def manifests(name: str) -> list[Manifest]:
    documents = yaml.safe_load_all((FOLDER / name).read_text("utf-8"))
    return [MANIFEST.validate_python(document) for document in documents]


KUSTOMIZATION: dict[str, list[str]] = yaml.safe_load(
    (FOLDER / "kustomization.yaml").read_text("utf-8")
)
ALL = [manifest for name in KUSTOMIZATION["resources"] for manifest in manifests(name)]
DEPLOYMENTS = [manifest for manifest in ALL if isinstance(manifest, Deployment)]


def test_every_file_is_applied() -> None:
    there = {path.name for path in FOLDER.glob("*.yaml")} - {"kustomization.yaml"}
    assert set(KUSTOMIZATION["resources"]) == there


def test_what_is_selected_is_there() -> None:
    labels = [each.spec.template.metadata.labels for each in DEPLOYMENTS]
    assert [each.spec.selector.matchLabels for each in DEPLOYMENTS] == labels
    budgets = [m.spec.selector.matchLabels for m in ALL if isinstance(m, DisruptionBudget)]
    assert budgets == labels
    (service,) = [manifest for manifest in ALL if isinstance(manifest, Service)]
    assert service.spec.selector in labels
    (scaled,) = [manifest for manifest in ALL if isinstance(manifest, ScaledObject)]
    assert scaled.spec.scaleTargetRef["name"] in [each.metadata.name for each in DEPLOYMENTS]


@pytest.mark.parametrize("deployment", DEPLOYMENTS, ids=lambda each: each.metadata.name)
def test_a_container_is_called_as_the_command_line_allows_and_probed(
    deployment: Deployment,
) -> None:
    (container,) = deployment.spec.template.spec.containers
    (port,) = container.ports
    for probe in (container.startupProbe, container.livenessProbe, container.readinessProbe):
        assert probe is None or probe.httpGet.port == port.name
    command, *options = container.args
    shown = CliRunner().invoke(application([command]), [command, "--help"]).stdout
    assert [o for o in options if o.startswith("--") and o not in shown] == []
    mounted = {mount.name for mount in container.volumeMounts}
    assert mounted == {volume.name for volume in deployment.spec.template.spec.volumes}
    written = {m.mountPath for m in container.volumeMounts if not m.readOnly}
    assert written == {"/tmp", "/cache", "/data"}  # noqa: S108 (the container's own)
    assert (
        str(port.containerPort)
        == deployment.spec.template.metadata.annotations["prometheus.io/port"]
    )


def test_what_users_upload_outlasts_every_pod_and_is_there_for_all() -> None:
    (claim,) = [manifest for manifest in ALL if isinstance(manifest, Claim)]
    for deployment in DEPLOYMENTS:
        pod = deployment.spec.template.spec
        (data,) = [m for m in pod.containers[0].volumeMounts if m.mountPath == "/data"]
        (volume,) = [volume for volume in pod.volumes if volume.name == data.name]
        assert volume.persistentVolumeClaim == {"claimName": claim.metadata.name}
        assert not data.readOnly


def test_nothing_gets_in_and_fetchers_get_out_to_the_public_web_alone() -> None:
    policies = {each.metadata.name: each.spec for each in ALL if isinstance(each, NetworkPolicy)}
    assert policies["nothing"].podSelector == Labels()
    assert not policies["nothing"].ingress + policies["nothing"].egress
    ports = {
        each.containerPort for d in DEPLOYMENTS for each in d.spec.template.spec.containers[0].ports
    }
    (way,) = policies["in"].ingress
    assert {each.port for each in way.ports} == ports
    outside = [w for w in policies["out"].egress if any(peer.ipBlock for peer in w.to)]
    (web,) = outside
    assert {each.port for each in web.ports} == {80, 443}
    beside = {net for peer in web.to if peer.ipBlock for net in peer.ipBlock.beside}
    assert {"10.0.0.0/8", "169.254.0.0/16", "192.168.0.0/16", "fc00::/7"} <= beside


@pytest.mark.anyio
async def test_the_scaler_counts_what_the_queue_counts(tmp_path: Path) -> None:
    (scaled,) = [manifest for manifest in ALL if isinstance(manifest, ScaledObject)]
    query = scaled.spec.triggers[0].metadata["query"]
    async with App.open(Settings(data_dir=tmp_path, cache_dir=tmp_path)) as app:
        request = RunRequest(question="Who built the mill?", docs=(tmp_path,))
        for _ in range(3):
            await app.submit(RunSpec(request=request, owner=Owner()), Owner())
        database = await app.database()
        async with database.read() as connection:
            counted = (await connection.exec_driver_sql(query)).scalar_one()
        assert counted == await Jobs(database).waiting() == 3
