// Uses the Java client of openapi-generator with java.net.http.
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.EvaluationsApi;
import org.openapitools.client.api.VariantsApi;
import org.openapitools.client.model.*;

public class OpenApiGenerator {
    public static void main(String[] args) throws Exception {
        String id = args[2];
        ApiClient client = new ApiClient();
        client.updateBaseUri(args[0]);
        client.setRequestInterceptor(request -> request.header("Authorization", args[1]));
        EvaluationsApi evaluations = new EvaluationsApi(client);
        VariantsApi variants = new VariantsApi(client);

        EvaluatorWrite evaluator = new EvaluatorWrite().name("score").higherIsBetter(true);
        Evaluation created =
            evaluations.addEvaluation(new EvaluationWrite().id(id).evaluators(List.of(evaluator)), null);
        equal(created.getId(), id);

        ResultWrite nested = new ResultWrite().type("json").value(Map.of("answer", Arrays.asList("no", 2.5, null)));
        ScenarioWrite first =
            new ScenarioWrite()
                .id("s1")
                .inputs(List.of(new ScenarioInputWrite().name("question").type("text").value("One?")))
                .outputs(List.of(new ScenarioOutputWrite().result(nested).cost(0.5).latency(2.0)))
                .correctAnswers(null)
                .results(List.of(score(0.75)));
        org.openapitools.client.model.ErrorWrite timeout =
            new org.openapitools.client.model.ErrorWrite().message("Timeout");
        ResultWrite failed = new ResultWrite().type("error").error(timeout);
        Map<String, String> question = Map.of("text", "Two?");
        ScenarioWrite second =
            new ScenarioWrite()
                .id("s2")
                .inputs(List.of(new ScenarioInputWrite().name("question").type("json").value(question)))
                .outputs(List.of(new ScenarioOutputWrite().result(failed)))
                .correctAnswers(List.of(new CorrectAnswerWrite().key("answer").value("two")))
                .results(List.of(score(1)));
        Appended appended = evaluations.appendEvaluationScenarios(id, List.of(first, second), null, null, null);
        equal(appended.getAccepted(), 2L);

        List<EvaluationScenario> scenarios = scenariosOf(evaluations, "baseline");
        ScenarioOutput output = scenarios.get(0).getOutputs().get(0);
        equal(output.getResult().getValue(), Map.of("answer", Arrays.asList("yes", 1.5, null)));
        equal(output.getCost(), 0.25);
        equal(scenarios.get(0).getCorrectAnswers(), null);
        equal(scenarios.get(1).getCorrectAnswers().get(0).getValue(), "two");
        equal(scenarios.get(1).getOutputs().get(0).getResult().getError().getMessage(), "Timeout");
        equal(scenarios.get(1).getIsPinned(), true);
        equal(scenarios.get(1).getNote(), "Look again.");

        List<VariantRevision> revisions =
            variants.listVariantRevisions("variant", null, null, null, null, null, null);
        equal(revisions.stream().map(VariantRevision::getRevision).toList(), List.of(1, 2));
        equal(revisions.get(0).getConfig().getParameters().get("temperature"), 0.5);
        equal(revisions.get(1).getConfig().getConfigName(), "second");

        Comparison comparison = evaluations.compareEvaluations(List.of("baseline", id), null, null, null);
        equal(comparison.getEvaluations().stream().map(ComparedEvaluation::getId).toList(), List.of("baseline", id));
        ComparedCandidate candidate = comparison.getCandidates().get(0);
        ComparedEvaluator score = candidate.getEvaluators().get(0);
        equal(List.of(score.getBaseMean(), score.getMean(), score.getDelta()), List.of(0.375, 0.875, 0.5));
        equal(List.of(candidate.getCost().getBaseMean(), candidate.getCost().getMean()), List.of(0.25, 0.5));
        equal(candidate.getCost().getInterval(), null);

        try {
            scenariosOf(evaluations, "missing");
            throw new AssertionError("An unknown evaluation was found.");
        } catch (ApiException error) {
            equal(error.getCode(), 404);
        }
    }

    private static List<EvaluationScenario> scenariosOf(EvaluationsApi evaluations, String id) throws ApiException {
        return evaluations.listEvaluationScenarios(
            id, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null);
    }

    private static ScenarioResultWrite score(double value) {
        return new ScenarioResultWrite().evaluatorConfig("score").result(new ResultWrite().type("number").value(value));
    }

    private static void equal(Object actual, Object expected) {
        if (!Objects.equals(actual, expected)) throw new AssertionError(actual + " is not " + expected);
    }
}
